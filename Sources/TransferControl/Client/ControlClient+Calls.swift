// SPDX-License-Identifier: MIT

import FoundationEssentials
import Synchronization
import TransferModel

/// Sends requests, receives replies.
extension ControlClient {
    /// Each call is one request, except that a long list of transfers is sent in parts. Errors of the service are
    /// thrown here.
    package func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply {
        if let list = call as? AddParams {
            guard let reply = try await addInParts(list) as? Call.Reply else { preconditionFailure("the reply of add") }
            return reply
        }
        let id = makeNumber()
        return try await reply(to: Call.self, try line(call, id: id), id: id, mayTakeLong: call.mayTakeLong)
    }

    /// Sends `line`, a request with `id`, and reads the reply.
    func reply<Call: QueueCall>(
        to type: Call.Type, _ line: Data, id: Int, mayTakeLong: Bool = false
    ) async throws -> Call.Reply {
        let answer = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(id, method: Call.method, mayTakeLong: mayTakeLong) { continuation.resume(with: $0) }
                connection.send(line)
                // A cancellation before registration is not seen by the handler below.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        do {
            return try ControlCoding.read(Reply<Call.Reply>.self, from: answer).result
        } catch {
            throw TransferError(.other, .serviceUnreadableReply, Call.method)
        }
    }

    func makeNumber() -> Int {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
    }

    /// Sends immediately, so that requests keep the order of calls.
    /// - Parameter finish: called exactly once, on any thread, possibly before this returns.
    func send<Call: QueueCall>(
        _ call: Call, id: Int, finish: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
    ) {
        do {
            let line = try line(call, id: id)
            register(id, method: Call.method, finish)
            connection.send(line)
        } catch {
            finish(.failure(error))
        }
    }

    /// The encoded request.
    /// - Throws: code `usage` if it exceeds the service's maximum.
    func line<Call: QueueCall>(_ call: Call, id: Int) throws(TransferError) -> Data {
        let line = try encoded(call, id: id)
        guard line.count - 1 <= maximumRequest else {
            throw TransferError(.usage, .serviceLongRequest, Call.method, line.count - 1, maximumRequest)
        }
        return line
    }

    func encoded<Call: QueueCall>(_ call: Call, id: Int) throws(TransferError) -> Data {
        do {
            return try ControlCoding.line(OutgoingRequest(id: .number(id), call: call))
        } catch {
            throw TransferError(.other, .serviceUnwritableRequest, Call.method)
        }
    }

    /// Maximum bytes of a message to the service, without line end.
    var maximumRequest: Int { state.withLock { $0.service?.maximumMessage } ?? ControlProtocol.maximumRequest }

    func register(
        _ id: Int, method: String, mayTakeLong: Bool = false,
        _ finish: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
    ) {
        let now = options.clock.now()
        let deadline = mayTakeLong ? .infinity : now + options.callTimeout
        let call = PendingCalls.Call(method: method, deadline: deadline, finish: finish)
        let (failure, checkTime) = state.withLock { state in
            (state.failure, state.failure == nil ? state.calls.insert(call, id: id) : nil)
        }
        if let failure { return finish(.failure(failure)) }
        if let checkTime { planCheck(in: checkTime - now) }
        watchReply(at: now)
    }

    private func planCheck(in seconds: Double) {
        options.clock.schedule(max(0, seconds)) { [weak self] in
            guard let self else { return }
            let now = options.clock.now()
            let (late, next) = state.withLock { $0.calls.check(at: now) }
            for call in late {
                call.finish(
                    .failure(
                        TransferError(.timedOut, .serviceNoReply, call.method, Int(options.callTimeout))))
            }
            if let next { planCheck(in: next - now) }
        }
    }

    private func cancel(_ id: Int) { finish(id, .failure(CancellationError())) }

    private func finish(_ id: Int, _ result: Result<[UInt8], any Error>) {
        state.withLock { $0.calls.take(id) }?.finish(result)
    }

    // MARK: What comes in

    func received(_ event: LineConnection.Event) {
        switch event {
        case .line(let line):
            messageReceived()
            received(line)
        case .tooLong:
            fail(TransferError(.receiveFailed, .serviceLongReply, options.maximumMessage))
        case .endOfInput, .closed:
            fail(TransferError(.receiveFailed, .serviceClosed))
        }
    }

    private func received(_ line: [UInt8]) {
        guard let message = try? ServerMessage.read(line) else {
            return fail(TransferError(.receiveFailed, .serviceNotMessage))
        }
        switch message {
        case .hello: finish(Self.greeting, .success(line))
        case .update(let update): received(update, bytes: line.count)
        case .answer(.number(let id)): finish(id, .success(line))
        case .error(.number(let id)?, let error): finish(id, .failure(error.transferError))
        // Without an ID it concerns the connection, which ends after it.
        case .error(_, let error): fail(error.transferError)
        case .answer(.text), .unknown: break
        }
    }
}
