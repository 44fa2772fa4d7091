// SPDX-License-Identifier: MIT

import Testing
import TransferModel
@testable import TransferService

/// Single courses of a transfer's life; `TransferSimulator explore` visits all (docs/dev/Life.md).
@Suite struct LifeTests {
    /// A life, with what it asks of executors. Behind a reference, so that an expectation may change it.
    private final class Course {
        var life: Life
        var context = Life.Context()
        private(set) var effects = Life.Effects()

        init(_ facts: Life.Facts = .syncs) {
            life = Life(facts)
            context.hasSlot = true
        }

        @discardableResult
        func happens(_ events: Life.Event...) -> [Life.Effect] {
            effects.clear()
            for event in events {
                let applies = life.handle(event, token: life.serial, context, &effects)
                #expect(applies, "\(event) in \(life.phase)")
            }
            return effects.list
        }

        func refuses(_ event: Life.Event, token: UInt32) -> Bool {
            let old = life
            effects.clear()
            return !life.handle(event, token: token, context, &effects) && life == old && effects.list.isEmpty
        }
    }

    /// Trivial: no reference to count, and copied as bytes. That it is, the compiler proves.
    @Test func isSmallAndTrivial() {
        func size<Value: BitwiseCopyable>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
        #expect(size(Life.self) <= 32)
        #expect(size(Life.Event.self) <= 32)
        #expect(size(Life.Effect.self) <= 8)
        #expect(size(Life.Context.self) <= 16)
    }

    @Test func aSmallFileOfTheStockTakesSixEvents() {
        let course = Course()
        #expect(course.happens(.stock) == [.begin(.stock, 1)])
        #expect(course.life.need == .reserved)
        #expect(course.happens(.started) == [])
        #expect(course.life.state == .running)
        #expect(course.happens(.fetched) == [.begin(.secure, 2)])
        #expect(course.life.need == .nothing)
        #expect(course.happens(.secured(.durable)) == [.begin(.name, 3)])
        #expect(course.happens(.named(.named)) == [.begin(.commit, 4)])
        #expect(course.life.state == .verifying)
        #expect(course.happens(.committed(isDurable: true)) == [])
        #expect(course.life.state == .completed)
    }

    @Test func aReplyOfAWithdrawnFetchIsRefused() {
        let course = Course()
        course.happens(.stock, .pause(.transfer))
        #expect(course.life.op == nil)
        #expect(course.refuses(.fetched, token: 1))
        course.happens(.resume, .stock)
        #expect(course.refuses(.fetched, token: 1))
        #expect(course.life.serial == 2)
    }

    /// Its reply is a fact: the open file is locked.
    @Test func aPauseAwaitsWhatIsUnderWay() {
        let course = Course()
        course.happens(.slot)
        #expect(course.happens(.pause(.transfer)) == [])
        #expect((course.life.state, course.life.need, course.life.op) == (.paused, .nothing, .open))
        #expect(course.happens(.opened(.ready)) == [])
        #expect(course.life.facts.contains(.hasFiles))
        #expect(course.happens(.resume, .slot) == [.begin(.open, 2)])
    }

    @Test func aCancelCountsUntilTheFileGetsItsName() {
        let course = Course()
        course.happens(.slot, .opened(.ready), .attemptEnded(.whole), .cancel(.discarding))
        #expect(course.life.state == .verifying)
        #expect(course.happens(.secured(.durable)) == [.begin(.remove, 4)])
        #expect(course.happens(.removed) == [.release])
        #expect(course.life.state == .cancelled)
    }

    @Test func aWishSurvivesTheProcess() {
        let course = Course()
        course.happens(.slot, .opened(.ready), .attemptEnded(.whole), .pause(.transfer))
        let next = Course()
        next.life = Life(restoring: course.life.record, .syncs)
        #expect(next.life.state == .paused)
        // It may have its name by now.
        #expect(next.happens(.recovered) == [.begin(.open, 1)])
        #expect(next.life.need == .nothing)
        #expect(next.happens(.opened(.isNamed)) == [.begin(.commit, 2)])
    }

    @Test func aTransferStartsAfterOthers() {
        let course = Course()
        course.happens(.predecessors(.open))
        #expect((course.life.state, course.life.need) == (.queued, .nothing))
        course.happens(.predecessors(.ended))
        #expect(course.life.state == .paused)
        course.context.isHeld = true
        course.happens(.predecessors(.none))
        #expect(course.life.wish.pause == .queue)
        course.happens(.resume)
        #expect(course.life.need == .line)
    }

    @Test func aCopyIsAwaitedAndLeavesTheTransferWhereItStood() {
        let course = Course()
        course.happens(.slot, .opened(.ready))
        #expect(course.happens(.relocate(.copy)) == [.stop])
        #expect(course.happens(.attemptEnded(.stopped)) == [.release, .begin(.copy, 3)])
        #expect((course.life.state, course.life.need) == (.queued, .nothing))
        #expect(course.happens(.pause(.transfer)) == [.stop])
        #expect(course.life.op == .copy)
        course.happens(.copied(isMoved: false))
        #expect((course.life.phase, course.life.state) == (.idle, .paused))
    }

    @Test func aFailedTransferStaysFailedAfterACopy() {
        let course = Course()
        course.happens(.slot, .opened(.failed(.end)), .relocate(.copy))
        #expect(course.life.record.end == .failed)
        course.happens(.copied(isMoved: true))
        #expect(course.life.state == .failed)
    }

    @Test func aPathThatImprovesEndsTheWait() {
        let course = Course()
        course.happens(.slot, .opened(.ready), .attemptEnded(.failed(.retry(after: 60))))
        #expect((course.life.state, course.life.due) == (.retrying, 60))
        course.happens(.pathImproved(1))
        #expect(course.life.due == 1)
        course.context.now = 1
        course.happens(.due)
        #expect(course.life.need == .line)
    }

    @Test func nothingIsNamedOrDeletedOnceTheLeaseIsLost() {
        let course = Course()
        course.happens(.slot, .opened(.ready), .attemptEnded(.whole), .leaseLost)
        #expect(course.happens(.secured(.durable)) == [.release])
        #expect(course.life.phase == .left)
    }

    @Test func anUndoRestoresWhereItStood() {
        let course = Course()
        course.happens(.slot, .opened(.ready), .attemptEnded(.failed(.retry(after: 60))))
        let before = course.life.standing
        course.happens(.pause(.transfer))
        #expect(course.life.due == .infinity)
        course.happens(.restore(before))
        #expect((course.life.state, course.life.due) == (.retrying, 60))
    }
}
