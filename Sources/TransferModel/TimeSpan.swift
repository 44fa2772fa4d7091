// SPDX-License-Identifier: MIT

/// Spans of time as people read them: what is counted as a clock shows it, what was measured with its unit.
package enum TimeSpan {
    /// The time to go, rounded up: `0:07`, `4:07`, `1h02`, `3d4h`; `--` if unknown, or 100 days and more.
    package static func short(_ seconds: Double?) -> String {
        guard let seconds, seconds >= 0, seconds < 8.64e6 else { return "--" }
        return clock(seconds.rounded(.up))
    }

    /// The time that has passed, in the same form; `--` if unknown.
    package static func clock(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds < 8.64e8 else { return "--" }
        let whole = Int(max(0, seconds))
        let (minutes, hours, days) = (whole / 60, whole / 3600, whole / 86400)
        if days > 0 { return "\(days)d\(hours % 24)h" }
        if hours > 0 { return "\(hours)h\(twoDigits(minutes % 60))" }
        return "\(minutes):\(twoDigits(whole % 60))"
    }

    /// What something took, rounded to the nearest: `0.8 ms`, `75 ms`, `1.2 s`, from ten seconds on as
    /// ``clock(_:)``.
    package static func taken(_ seconds: Double) -> String {
        guard seconds < 9.95 else { return clock(seconds.rounded()) }
        let seconds = max(0, seconds)
        if seconds >= 0.9995 { return tenths(seconds) + " s" }
        return (seconds < 0.00995 ? tenths(seconds * 1000) : "\(Int((seconds * 1000).rounded()))") + " ms"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
