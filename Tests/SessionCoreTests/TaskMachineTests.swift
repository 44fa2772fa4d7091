// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

@Suite struct TaskMachineTests {
    typealias Machine = TaskMachine

    func request(_ method: HTTPRequest.Method = .get, user: String? = nil) throws -> TransferRequest {
        var options = TransferOptions()
        if let user { options.credential = Credential(user: user, password: "secret") }
        return TransferRequest(url: try TransferURL("http://a.test/one"), method: method, options: options)
    }

    func head(_ status: Int, _ fields: [(HTTPField.Name, String)] = []) -> HTTPResponse {
        var result = HTTPResponse(status: .init(code: status))
        for (name, value) in fields { result.headerFields.append(HTTPField(name: name, value: value)) }
        return result
    }

    func download(resume: ResumePoint? = nil, rewindable: Bool = true) throws -> Machine {
        var machine = Machine(
            role: .download(rewindable: rewindable), request: try request(), sendsBody: false, resume: resume)
        guard machine.begun(machine.resume()) != nil else { throw TransferError(.other, "did not begin") }
        return machine
    }

    let point = ResumePoint(offset: 100, validator: Validator(entityTag: "\"v1\""), total: 300)

    @Test func startsOnceAndNestsSuspensions() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        #expect(machine.suspend() == .none)
        #expect(machine.resume() == .none)
        guard machine.begun(machine.resume()) != nil else { return #expect(Bool(false), "second resume must begin") }
        #expect(machine.resume() == .none)
        #expect(machine.suspend() == .pause)
        #expect(machine.suspend() == .none)
        #expect(machine.resume() == .none)
        #expect(machine.resume() == .proceed)
    }

    @Test func cancelBeforeStartFinishesAndStaysFinished() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        #expect(machine.cancel() == .finish(.cancelled))
        #expect(machine.cancel() == .none)
        #expect(machine.resume() == .none)
        #expect(machine.isEnded)
    }

    @Test func cancelWinsOverALaterSuccess() throws {
        var machine = try download()
        #expect(machine.cancel() == .cancel)
        #expect(machine.exchangeEnded(nil, received: 10) == .finish(.cancelled))
        #expect(machine.exchangeEnded(nil, received: 10) == .none)
    }

    @Test func completeResponsesStartAtTheFirstByte() throws {
        var machine = try download()
        #expect(machine.headReceived(head(200, [(.contentLength, "300")])) == .write(offset: 0, expectedEnd: 300))
        #expect(machine.exchangeEnded(nil, received: 300) == .finish(nil))
    }

    @Test(arguments: [299, 301] as [Int64]) func wrongBodyLengthIsAnError(_ received: Int64) throws {
        var machine = try download()
        _ = machine.headReceived(head(200, [(.contentLength, "300")]))
        guard case .finish(let error?) = machine.exchangeEnded(nil, received: received) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .partialFile)
    }

    /// The file of an accepted body is opened by a lane; the exchange may end before.
    @Test func aBodyThatWaitsForItsFileEndsWhenThatIsOpen() throws {
        var machine = try download()
        _ = machine.headReceived(head(200, [(.contentLength, "0")]))
        machine.awaitDestination()
        #expect(machine.opening != nil)
        #expect(machine.exchangeEnded(nil, received: 0) == .none)
        #expect(machine.opening != nil && machine.exchange == nil)
        machine.destinationOpened()
        #expect(machine.bodyPlaced(.init()) == .finish(nil))
    }

    @Test func aFileThatCannotBeOpenedEndsTheTask() throws {
        let error = TransferError(.folderNotResponding, "no reply")
        var machine = try download()
        _ = machine.headReceived(head(200, [(.contentLength, "300")]))
        machine.awaitDestination()
        machine.destinationFailed(error)
        #expect(machine.isRefusing && !machine.hasResult)
        #expect(machine.exchangeEnded(TransferError(.other, "aborted"), received: 0) == .finish(error))
    }

    @Test(arguments: [false, true]) func aTaskThatWaitsForItsFileCanBeCancelled(_ hasEnded: Bool) throws {
        var machine = try download()
        _ = machine.headReceived(head(200, [(.contentLength, "0")]))
        machine.awaitDestination()
        if hasEnded {
            _ = machine.exchangeEnded(nil, received: 0)
            #expect(machine.cancel() == .finish(.cancelled))
        } else {
            #expect(machine.cancel() == .cancel)
            #expect(machine.exchangeEnded(nil, received: 0) == .finish(.cancelled))
        }
        #expect(machine.opening == nil)
    }

    @Test(arguments: ["99999999999999999999", "-5", "abc"]) func rejectsAnInvalidLength(_ length: String) throws {
        var machine = try download()
        #expect(machine.headReceived(head(200, [(.contentLength, length)])) == .abort)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .notHTTP)
    }

    @Test func earlyRefusalIsTheUploadsResult() throws {
        var machine = Machine(role: .upload, request: try request(.put), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(413)) == .deliver)
        #expect(machine.exchangeEnded(TransferError(.sendFailed, "reset"), received: 0) == .finish(nil))
    }

    /// The head is the verdict on what was sent; a task with the same body has it as its result.
    @Test(arguments: [TaskMachine.Role.upload, .data]) func aCutResponseIsNoFailureOfAnUpload(
        _ role: TaskMachine.Role
    ) throws {
        var machine = Machine(role: role, request: try request(.put), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(201)) == .deliver)
        let failure = TransferError(.partialFile, .withoutCloseNotify, host: "a.test")
        #expect(machine.exchangeEnded(failure, received: 5) == .finish(role == .upload ? nil : failure))
    }

    @Test func retriesWithoutExpectAfter417() throws {
        var machine = Machine(role: .upload, request: try request(.put), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(417)) == .abort)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "again")
        }
        #expect(!plan.expectsContinue)
    }

    @Test func repeatsAnExchangeWithoutResponseOnce() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        _ = machine.begun(machine.resume())
        guard machine.begun(machine.exchangeEnded(nil, received: 0)) != nil else {
            return #expect(Bool(false), "once more")
        }
        guard case .finish(let error?) = machine.exchangeEnded(nil, received: 0) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error.code == .noResponse)
        #expect(FailurePolicy.verdict(error).next == .retry)
        var upload = Machine(role: .upload, request: try request(.put), sendsBody: true)
        _ = upload.begun(upload.resume())
        guard case .finish = upload.exchangeEnded(nil, received: 0) else { return #expect(Bool(false), "must end") }
    }
}
