// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

extension TaskMachine {
    /// From the wish for an exchange to the exchange under way, where nothing comes between.
    /// - Returns: its plan; `nil` where `step` is no such wish.
    mutating func begun(_ step: Step) -> ExchangePlan? {
        guard step == .begin, prepare(Readiness()) == .none, slotGranted() == .make else { return nil }
        started(Running(id: ExchangeID(rawValue: 1)))
        return plan
    }
}

/// Events that come where another one is expected: the machine decides what counts.
@Suite struct TaskMachineRaceTests {
    typealias Machine = TaskMachine

    private func data() throws -> Machine {
        Machine(role: .data, request: TransferRequest(url: try TransferURL("http://a.test/one")), sendsBody: false)
    }

    /// The slot has come, and the exchange is being made.
    private func starting() throws -> Machine {
        var machine = try data()
        #expect(machine.resume() == .begin)
        #expect(machine.prepare(.init()) == .none)
        #expect(machine.slotGranted() == .make)
        return machine
    }

    private func sent() throws -> Machine {
        var machine = try starting()
        machine.started(.init(id: ExchangeID(rawValue: 7)))
        return machine
    }

    private func consulting() throws -> Machine {
        var machine = try data()
        #expect(machine.resume() == .begin)
        #expect(machine.prepare(.init(asksCache: true)) == .consultCache)
        return machine
    }

    // MARK: Slots

    @Test func holdsASlotExactlyDuringAnExchange() throws {
        var machine = try data()
        #expect(machine.slot == .none)
        _ = machine.resume()
        #expect(machine.slot == .none)
        _ = machine.prepare(.init())
        #expect(machine.slot == .queued)
        _ = machine.slotGranted()
        #expect(machine.slot == .held)
        machine.started(.init())
        #expect(machine.slot == .held)
        _ = machine.headReceived(HTTPResponse(status: .found, headerFields: [.location: "/two"]))
        #expect(machine.slot == .held)
        _ = machine.exchangeEnded(nil, received: 0)
        #expect(machine.slot == .none)
        _ = machine.prepare(.init())
        #expect(machine.slot == .queued)
        _ = machine.cancel()
        #expect(machine.slot == .none)
    }

    @Test func releasesTheSlotOfASuspendedExchange() throws {
        var machine = try sent()
        #expect(machine.suspend() == .pause)
        #expect(machine.slot == .none && machine.isHeld)
        #expect(machine.resume() == .proceed)
        #expect(machine.slot == .held && !machine.isHeld)
        _ = machine.headReceived(HTTPResponse(status: .ok))
        #expect(machine.exchangeEnded(nil, received: 0) == .finish(nil))
        #expect(machine.slot == .none)
        #expect(machine.resume() == .none)
        #expect(machine.slot == .none)
    }

    @Test func returnsALateSlot() throws {
        var machine = try data()
        _ = machine.resume()
        _ = machine.prepare(.init())
        _ = machine.suspend()
        #expect(machine.slotGranted() == .none)
        _ = machine.resume()
        #expect(machine.slotGranted() == .make)
        #expect(machine.slotGranted() == .none)
    }

    // MARK: The cache

    @Test(arguments: [Machine.CacheUse.none, .revalidating, .stored]) func dropsALateCacheReply(
        _ use: Machine.CacheUse
    ) throws {
        var machine = try consulting()
        #expect(machine.cancel() == .finish(.cancelled))
        #expect(machine.cacheAnswered(use) == nil)
        #expect(machine.cacheRefused(TransferError(.other, "nothing stored")) == .none)
        #expect(machine.isEnded)
    }

    @Test func theCacheChangesTheRequest() throws {
        var machine = try consulting()
        #expect(machine.cacheAnswered(.revalidating, [.ifNoneMatch: "\"v\""]) == Machine.Step.none)
        #expect(machine.plan.answersFromCache == .revalidating && machine.plan.extraFields[.ifNoneMatch] == "\"v\"")
        #expect(machine.slot == .queued)
    }

    @Test func cachedResponsesWaitForResumeWithoutASlot() throws {
        var machine = try consulting()
        #expect(machine.suspend() == .none)
        #expect(machine.cacheAnswered(.stored) == Machine.Step.none)
        #expect(machine.resume() == .replay)
        #expect(machine.slot == .none && machine.exchange == nil)
        #expect(machine.cancel() == .finish(.cancelled))
        #expect(machine.headReceived(HTTPResponse(status: .ok)) == .abort)
        #expect(machine.exchangeEnded(nil, received: 0) == .none)
    }

    // MARK: Delegates

    @Test func dropsALateDelayDecision() throws {
        var machine = try data()
        _ = machine.resume()
        #expect(machine.prepare(.init(delay: 60)) == .delay(60))
        #expect(machine.prepare(.init(delay: 60)) == .none)
        #expect(machine.delayPassed() == .begin)
        #expect(machine.prepare(.init(asksAboutDelay: true)) == .askAboutDelay)
        var other = machine
        #expect(machine.cancel() == .finish(.cancelled))
        #expect(machine.delayDecided(nil) == .none)
        // No delegate is asked twice.
        #expect(other.delayDecided(nil) == .begin)
        #expect(other.prepare(.init(asksAboutDelay: true)) == .none)
        #expect(other.slot == .queued)
    }

    @Test func expiredDelaysWaitForResume() throws {
        var machine = try data()
        _ = machine.resume()
        #expect(machine.prepare(.init(delay: 60)) == .delay(60))
        _ = machine.suspend()
        #expect(machine.delayPassed() == .none)
        #expect(machine.resume() == .begin)
        // It was moved meanwhile, and no timer is left.
        #expect(machine.prepare(.init(delay: 5)) == .delay(5))
    }

    @Test func dropsALateBody() throws {
        var machine = try starting()
        #expect(machine.bodyMissing() == .askForBody)
        #expect(machine.slot == .held)
        var suspended = machine
        #expect(machine.cancel() == .finish(.cancelled))
        #expect(machine.bodySupplied() == nil)
        _ = suspended.suspend()
        #expect(suspended.bodySupplied() == Machine.Step.none)
        #expect(suspended.resume() == .none)
        #expect(suspended.slotGranted() == .make)
    }

    @Test func emptyResponsesWaitForTheHeadDecision() throws {
        let context = DecisionContext(interests: .response)
        let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
        var machine = try sent()
        #expect(machine.headReceived(head, context) == .ask(.response(head)))
        #expect(machine.exchangeEnded(ExchangeEnd(), context) == .none)
        #expect(machine.slot == .none && machine.exchange == nil)
        var (cancelled, late) = (machine, machine)
        #expect(cancelled.cancel() == .finish(.cancelled))
        #expect(late.fail(TransferError(.timedOut, "late")) == .finish(TransferError(.timedOut, "late")))
        #expect(machine.answered(.response(.allow), context) == .decide(.deliver, head))
        #expect(machine.bodyPlaced(context) == .finish(nil))
        #expect(machine.bodyPlaced(context) == .none)
    }

    @Test func responsesWaitForTheirFile() throws {
        let context = DecisionContext(interests: .response)
        let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
        var machine = try sent()
        _ = machine.headReceived(head, context)
        #expect(machine.exchangeEnded(ExchangeEnd(), context) == .none)
        #expect(
            machine.answered(.response(.becomeDownload), context) == .decide(.write(offset: 0, expectedEnd: 0), head))
        var failed = machine
        failed.destinationFailed(TransferError(.cannotWrite, "full"))
        #expect(failed.bodyPlaced(context) == .finish(TransferError(.cannotWrite, "full")))
        #expect(machine.bodyPlaced(context) == .finish(nil))
        #expect(machine.hasResult)
    }

    @Test func failuresDuringADecisionEndTheTask() throws {
        let context = DecisionContext(interests: .response)
        let reset = TransferError(.receiveFailed, "reset")
        var machine = try sent()
        _ = machine.headReceived(HTTPResponse(status: .ok), context)
        #expect(machine.exchangeEnded(ExchangeEnd(failure: reset), context) == .finish(reset))
        #expect(machine.answered(.response(.allow), context) == .none)
    }

    // MARK: Timers

    @Test func ignoresTimersOfEarlierSuspensions() throws {
        var machine = try sent()
        _ = machine.suspend()
        let first = machine.suspensionTurn
        _ = machine.resume()
        _ = machine.suspend()
        #expect(machine.suspensionLasted(first) == .none)
        #expect(machine.suspensionLasted(machine.suspensionTurn) == .cancel)
        #expect(machine.resume() == .none)
        #expect(machine.exchangeEnded(.cancelled, received: 0) == .begin)
    }
}
