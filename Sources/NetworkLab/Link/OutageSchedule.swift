// SPDX-License-Identifier: MIT

/// A periodic outage: `down` seconds at the end of each `every` seconds. No I/O; times in seconds since the link
/// started.
package struct OutageSchedule: Sendable, Hashable {
    package let down: Double
    package let every: Double
    private var up: Double { every - down }

    /// `nil` unless both are finite and above 0, and there is time between two outages.
    package init?(down: Double, every: Double) {
        guard down > 0, every > down, every.isFinite else { return nil }
        (self.down, self.every) = (down, every)
    }

    package func isDown(at time: Double) -> Bool { time - period(time) * every >= up }

    /// When it next goes down, or comes up, after `time`.
    package func nextChange(after time: Double) -> Double {
        let start = period(time) * every
        return isDown(at: time) ? start + every : start + up
    }

    /// The seconds before `time` in which the link was up.
    func upTime(at time: Double) -> Double {
        let period = period(time)
        return period * up + min(time - period * every, up)
    }

    /// The earliest time at which the link has been up for `upTime` seconds and is up.
    func time(ofUpTime upTime: Double) -> Double {
        let period = (upTime / up).rounded(.down)
        return period * every + (upTime - period * up)
    }

    private func period(_ time: Double) -> Double { (time / every).rounded(.down) }
}
