// SPDX-License-Identifier: MIT

import Testing
import TransferTesting

@testable import fileq

@Suite struct IdleWatchTests {
    private let scheduler = ManualScheduler()
    private let fired = Counter()

    private func watch(after seconds: Double? = 600) -> IdleWatch {
        IdleWatch(after: seconds, scheduler: scheduler) { [fired] in fired.add() }
    }

    @Test func firesAfterTheIdleTime() {
        let watch = watch()
        watch.activityChanged(false)
        scheduler.advance(by: 599)
        #expect(fired.count == 0)
        scheduler.advance(by: 1)
        #expect(fired.count == 1)
    }

    @Test func connectionsKeepItRunning() {
        let watch = watch()
        watch.connectionsChanged(1)
        watch.activityChanged(false)
        scheduler.advance(by: 10_000)
        #expect(fired.count == 0)
        watch.connectionsChanged(0)
        scheduler.advance(by: 600)
        #expect(fired.count == 1)
    }

    @Test func remoteControlKeepsItRunning() {
        let watch = watch()
        watch.servingChanged(true)
        watch.activityChanged(false)
        scheduler.advance(by: 10_000)
        #expect(fired.count == 0)
        watch.servingChanged(false)
        scheduler.advance(by: 600)
        #expect(fired.count == 1)
    }

    @Test func connectionsRestartTheIdleTime() {
        let watch = watch()
        watch.activityChanged(false)
        scheduler.advance(by: 599)
        watch.connectionsChanged(1)
        watch.connectionsChanged(0)
        scheduler.advance(by: 599)
        #expect(fired.count == 0)
        scheduler.advance(by: 1)
        #expect(fired.count == 1)
    }

    /// The same news again is none.
    @Test func unchangedStateDoesNotRestartTheIdleTime() {
        let watch = watch()
        watch.activityChanged(false)
        scheduler.advance(by: 300)
        watch.activityChanged(false)
        watch.connectionsChanged(0)
        scheduler.advance(by: 300)
        #expect(fired.count == 1)
    }

    @Test func workKeepsItRunning() {
        let watch = watch()
        watch.activityChanged(false)
        watch.activityChanged(true)
        scheduler.advance(by: 10_000)
        #expect(fired.count == 0)
        watch.activityChanged(false)
        scheduler.advance(by: 600)
        watch.activityChanged(true)
        watch.activityChanged(false)
        scheduler.advance(by: 600)
        #expect(fired.count == 2)
    }

    @Test func neverIsNever() {
        let watch = watch(after: nil)
        watch.activityChanged(false)
        #expect(scheduler.nextDelay == nil)
    }
}
