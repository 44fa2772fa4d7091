// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct ServiceNoticesTests {
    private final class Shown: Sendable {
        let notices = Mutex<[EndNotice]>([])
        let asked = Counter()
        var titles: [String] { notices.withLock { $0.map(\.title) } }
    }

    private func failure(_ id: Int) -> QueueUpdate {
        let transfer = Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "http://a.test/\(id)", file: "/tmp/\(id)",
            status: .failed(.init(at: 0), TransferError(.httpStatus, "404")))
        return .events([TransferEvent(time: 0, name: .failed, transfer: transfer)])
    }

    /// Each reading of the clock is a minute later, so that notices are due at once.
    private func notices(_ settings: NotifySettings, isAttended: Bool, _ shown: Shown) -> ServiceNotices {
        let clock = Mutex(0.0)
        let now: @Sendable () -> Double = {
            clock.withLock { time in
                time += 60
                return time
            }
        }
        let notices = ServiceNotices(settings, now: now) { notice in shown.notices.withLock { $0.append(notice) } }
        notices.setAttended {
            shown.asked.add()
            return isAttended
        }
        return notices
    }

    @Test func showsWhatEnded() async {
        let shown = Shown()
        let notices = notices(NotifySettings(), isAttended: false, shown)
        notices.receive(.snapshot(QueueSnapshot()))
        notices.receive(failure(1))
        #expect(await eventually { shown.titles == ["1 failed"] })
        notices.receive(failure(2))
        #expect(await eventually { shown.titles == ["1 failed", "2 failed"] })
    }

    @Test func leavesItToAScreen() async {
        let shown = Shown()
        let notices = notices(NotifySettings(), isAttended: true, shown)
        notices.receive(failure(1))
        #expect(await eventually { shown.asked.count == 1 })
        #expect(shown.titles.isEmpty)
    }

    @Test func newSettingsApplyAtOnce() async {
        let shown = Shown()
        var settings = NotifySettings()
        settings.way = .terminal
        let notices = notices(settings, isAttended: false, shown)
        notices.setSettings(NotifySettings())
        notices.receive(failure(1))
        #expect(await eventually { shown.titles == ["1 failed"] })
    }
}
