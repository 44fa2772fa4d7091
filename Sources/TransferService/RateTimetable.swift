// SPDX-License-Identifier: MIT

import Glibc
import TransferControl

/// What the clock on the wall says.
struct LocalTime: Equatable, Sendable {
    /// Minutes since Monday's first, 0..<10080.
    var minuteOfWeek: Int
    /// 0..<60
    var second: Double

    init(minuteOfWeek: Int, second: Double = 0) {
        self.minuteOfWeek = minuteOfWeek
        self.second = second
    }

    /// - Parameter time: seconds since 1970.
    init(of time: Double) {
        var seconds = time_t(time.rounded(.down))
        var parts = tm()
        // The zone may have been changed since the last look.
        tzset()
        localtime_r(&seconds, &parts)
        // Sunday is 0 there.
        let day = (Int(parts.tm_wday) + 6) % 7
        self.init(
            minuteOfWeek: day * 1440 + Int(parts.tm_hour) * 60 + Int(parts.tm_min),
            second: Double(min(parts.tm_sec, 59)) + time - time.rounded(.down))
    }
}

/// Which rates hold at an hour: those of the timetable, else those of the user. Pure.
struct RateTimetable {
    struct Rates: Equatable, Sendable {
        /// Bytes a second; `nil`: unlimited.
        var download: Int?
        var upload: Int?
    }

    var timetable: LimitTimetable
    var limits: QueueLimits

    func rates(at time: LocalTime) -> Rates {
        guard let entry = timetable.entry(atMinute: time.minuteOfWeek) else {
            return Rates(download: limits.download, upload: limits.upload)
        }
        return Rates(download: entry.download, upload: entry.upload)
    }

    /// Until another entry holds, or none; `nil` where that never happens. An hour that the clock skips or repeats on
    /// the way is not counted.
    func secondsUntilChange(from time: LocalTime) -> Double? {
        timetable.minutesUntilChange(after: time.minuteOfWeek).map { Double($0 * 60) - time.second }
    }
}
