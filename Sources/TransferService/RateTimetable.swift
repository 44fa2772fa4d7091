// SPDX-License-Identifier: MIT

import Glibc
import TransferControl

/// Local wall-clock time.
package struct LocalTime: Equatable, Sendable {
    /// Minutes since Monday 00:00, 0..<10080.
    package var minuteOfWeek: Int
    /// 0..<60
    package var second: Double

    package init(minuteOfWeek: Int, second: Double = 0) {
        self.minuteOfWeek = minuteOfWeek
        self.second = second
    }

    /// - Parameter time: seconds since 1970.
    init(of time: Double) {
        var seconds = time_t(time.rounded(.down))
        var parts = tm()
        // The time zone may have changed since the last call.
        tzset()
        localtime_r(&seconds, &parts)
        // `tm_wday` is 0 on Sunday.
        let day = (Int(parts.tm_wday) + 6) % 7
        self.init(
            minuteOfWeek: day * 1440 + Int(parts.tm_hour) * 60 + Int(parts.tm_min),
            second: Double(min(parts.tm_sec, 59)) + time - time.rounded(.down))
    }
}

/// The rates at a time: those of the timetable, else those of the user. Pure.
struct RateTimetable {
    struct Rates: Equatable, Sendable {
        /// Bytes per second; `nil`: unlimited.
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

    /// Until the entry changes; `nil` if it never does. An hour that daylight saving skips or repeats meanwhile is not
    /// counted.
    func secondsUntilChange(from time: LocalTime) -> Double? {
        timetable.minutesUntilChange(after: time.minuteOfWeek).map { Double($0 * 60) - time.second }
    }
}
