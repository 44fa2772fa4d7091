// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService
import TransferTesting

/// Users limit rates by the time of day.
extension User {
    /// One whose hours begin or end within some minutes.
    func randomTimetable() -> LimitTimetable {
        guard origin.draw(0...3) > 0 else { return LimitTimetable() }
        let now = TimetableLedger.time(of: machine.wallNow).minuteOfWeek % 1440
        return LimitTimetable(
            entries: (0..<origin.draw(1...3)).map { _ in
                let from = (now + origin.draw(-2...2) + 1440) % 1440
                return .init(
                    from: from, to: (from + origin.draw(1...3)) % 1440, download: randomRate(), upload: randomRate())
            })
    }

    private func randomRate() -> Int? { origin.draw(0...2) == 0 ? nil : origin.draw(1...100) * 1000 }

    func setTimetable(then next: (@Sendable () -> Void)? = nil) { setTimetable(randomTimetable(), then: next) }

    func setTimetable(_ timetable: LimitTimetable, then next: (@Sendable () -> Void)? = nil) {
        guard let queue = world.queue, !ledger.isUndoing else { return }
        let life = world.network.life
        ledger.beganTimetable(timetable)
        world.trace.met(.timetable)
        world.trace.sometimes("command: timetable")
        world.trace.note(machine.now, "command: timetable \(timetable.text)")
        Task { [self] in
            var succeeded = true
            do { try await world.give(to: queue) { try await $0.setTimetable(timetable) } } catch { succeeded = false }
            guard life == world.network.life else { return }
            world.trace.note(machine.now, "reply: timetable \(succeeded ? "done" : "failed")")
            ledger.endedTimetable(timetable, succeeded: succeeded)
            if succeeded { next?() }
        }
    }
}
