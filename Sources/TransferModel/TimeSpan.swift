// SPDX-License-Identifier: MIT

/// Spans of time as people read them in a narrow column.
package enum TimeSpan {
    /// `7s`, `4:07`, `1:02:03`, `3d 4h`; `--` if unknown.
    package static func short(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds >= 0, seconds < 8.64e6 else { return "--" }
        let whole = Int(seconds.rounded(.up))
        let (minutes, hours, days) = (whole / 60, whole / 3600, whole / 86400)
        if days > 0 { return "\(days)d \(hours % 24)h" }
        if hours > 0 { return "\(hours):\(twoDigits(minutes % 60)):\(twoDigits(whole % 60))" }
        if minutes > 0 { return "\(minutes):\(twoDigits(whole % 60))" }
        return "\(whole)s"
    }

    /// Elapsed time: `0:07`, `4:07`, `1:02:03`, `3d 4h`; `--` if unknown.
    package static func clock(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds < 8.64e6 else { return "--" }
        let whole = max(0, seconds).rounded(.down)
        return whole < 60 ? "0:\(twoDigits(Int(whole)))" : short(whole)
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
