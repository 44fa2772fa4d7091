// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// A queue as aria2's methods see it.
struct RemoteQueue: Sendable {
    let queue: any QueueClient
    let settings: RemoteSettings
    let index: RemoteIndex
    /// Identifies this run of the server.
    let sessionID: String
    /// Reads a Metalink document: see ``RemoteServer/start(_:queue:readDocument:refusalDelay:shutDown:)``.
    let readDocument: @Sendable ([UInt8]) throws -> [Spec]
    /// Ends the service.
    let shutDown: @Sendable () -> Void

    var folder: RemoteFolder { RemoteFolder(base: settings.folder, allowsOutside: settings.allowsOutside) }

    /// The response to a message.
    struct Reply: Sendable, Hashable {
        var httpStatus = 200
        var body: RPCValue
        /// A call had the right token.
        var isAuthorized = false
        /// A call had none, or a wrong one: the reply is sent late.
        var isDelayed = false
    }

    func reply(to bytes: [UInt8]) async -> Reply {
        let message: RPCMessage
        do throws(RPCFailure) { message = try RPCMessage(bytes) } catch {
            return Reply(httpStatus: error.httpStatus, body: Self.response(.null, .failure(error)))
        }
        var reply = Reply(body: .null)
        switch message {
        case .single(let call):
            let result = await result(of: call.content, &reply)
            if case .failure(let failure) = result { reply.httpStatus = failure.httpStatus }
            reply.body = Self.response(call.id, result)
        case .batch(let calls):
            var responses: [RPCValue] = []
            for call in calls { responses.append(Self.response(call.id, await result(of: call.content, &reply))) }
            reply.body = .array(responses)
        }
        return reply
    }

    static func response(_ id: RPCValue, _ result: Result<RPCValue, RPCFailure>) -> RPCValue {
        let outcome: RPCValue.Member =
            switch result {
            case .success(let value): .init("result", value)
            case .failure(let failure): .init("error", failure.value)
            }
        return .object([.init("id", id), .init("jsonrpc", .string("2.0")), outcome])
    }

    private func result(
        of content: Result<RPCRequest, RPCFailure>, _ reply: inout Reply
    ) async -> Result<RPCValue, RPCFailure> {
        do {
            let request = try content.get()
            guard request.method != "system.multicall" else {
                return .success(try await multicall(request.params, &reply))
            }
            return .success(try await perform(request.method, request.params, &reply))
        } catch {
            let failure = RPCFailure(error)
            if failure.isUnauthorized { reply.isDelayed = true }
            return .failure(failure)
        }
    }

    private func perform(_ name: String, _ params: [RPCValue], _ reply: inout Reply) async throws -> RPCValue {
        var params = params
        let token = Self.token(params.first)
        if token != nil { params.removeFirst() }
        guard let method = Self.methods[name] else { throw RPCFailure("No such method: \(name.prefix(64))") }
        if method.needsToken {
            guard let token, Self.isEqual(token, settings.secret) else { throw RPCFailure.unauthorized }
            reply.isAuthorized = true
        }
        return try await method.body(self, RPCParams(params))
    }

    /// Each of its calls has a token of its own, and its result in a list of one element; a failure is an object.
    private func multicall(_ params: [RPCValue], _ reply: inout Reply) async throws -> RPCValue {
        // Some clients send a token of their own for the whole, which aria2 accepts.
        let params = Self.token(params.first) == nil ? params : Array(params.dropFirst())
        let calls = try RPCParams(params).required(0, \.array)
        guard calls.count <= RPCMessage.maximumCalls else { throw RPCMessage.tooMany }
        var results: [RPCValue] = []
        for call in calls {
            guard let name = call["methodName"]?.string else {
                results.append(RPCFailure("methodName is missing").value)
                continue
            }
            guard name != "system.multicall" else {
                results.append(RPCFailure("Recursive system.multicall forbidden.").value)
                continue
            }
            let request = RPCRequest(method: name, params: call["params"]?.array ?? [])
            switch await result(of: .success(request), &reply) {
            case .success(let value): results.append(.array([value]))
            case .failure(let failure): results.append(failure.value)
            }
        }
        return .array(results)
    }

    private static func token(_ value: RPCValue?) -> String? {
        guard let text = value?.string, text.hasPrefix("token:") else { return nil }
        return String(text.dropFirst("token:".count))
    }

    static func isEqual(_ given: String, _ secret: String) -> Bool {
        !secret.isEmpty && ConstantTime.areEqual(given.utf8, secret.utf8)
    }
}
