// SPDX-License-Identifier: MIT

import TransferModel

/// From a request line to its reply.
extension ServerSession {
    func answer(_ line: [UInt8]) async {
        let incoming = IncomingRequest.read(line)
        let bytes = line.count
        guard case .success(let call) = incoming.content, !call.keepsOrder else {
            return await answer(incoming, bytes: bytes)
        }
        detach { [self] in await answer(incoming, bytes: bytes) }
    }

    private func answer(_ incoming: IncomingRequest, bytes: Int) async {
        do {
            let call = try incoming.content.get()
            guard isGreeted || call is ClientHello else {
                throw ControlError(.helloExpected, "say hello first, with your version of the protocol")
            }
            try await carryOut(call, replyingTo: incoming.isNotification ? nil : incoming.id, bytes: bytes)
        } catch {
            let known =
                error as? ControlError ?? (error as? TransferError).map(ControlError.init)
                ?? ControlError(.internalError, "the service failed to do it: \(type(of: error))")
            if !incoming.isNotification { send(ErrorReply(id: incoming.id, error: known)) }
        }
    }

    private func carryOut(_ call: some ControlCall, replyingTo id: MessageID?, bytes: Int) async throws {
        let result = try await call.carryOut(in: self, bytes: bytes)
        if let id { send(Reply(id: id, result: result)) }
        call.replied(in: self)
    }

    var queue: any QueueClient { server.handler.queue }

    func greeted(_ client: ClientHello) throws(ControlError) -> ServerHello {
        guard client.protocol == ControlProtocol.version else {
            throw ControlError(
                .incompatible,
                "the service speaks version \(ControlProtocol.version) of the protocol "
                    + "(it is version \(server.options.version)), the client version \(client.protocol)")
        }
        guard !isReserved || client.reserved == true else {
            finish()
            throw server.fullHouse
        }
        greet()
        return hello
    }

    /// Sends the queue's updates to the client until the queue ends or the client unsubscribes.
    ///
    /// A client that reads too slowly costs only its unread bytes: the subscription pauses, and restarts with a
    /// snapshot when the client has read them all.
    /// - Parameter session: the background session to report; `nil`: all.
    func sendUpdates(_ number: Int, _ session: String?) async {
        var isBehind: Bool
        repeat {
            isBehind = false
            let queue = server.handler.queue
            for await update in queue.updates(of: session) {
                guard !Task.isCancelled, let line = try? line(notice(number, .update(update))) else {
                    return
                }
                var isDroppable = true
                if case .snapshot = update { isDroppable = false }
                connection.send(line, isDroppable: isDroppable)
                isBehind = connection.isBehind
                if isBehind { break }
            }
            if isBehind { await connection.waitUntilSent() }
        } while isBehind && !Task.isCancelled && connection.isOpen
        if !Task.isCancelled { send(notice(number, .ended)) }
    }

    /// Sends the changes of a window. A client that reads slowly gets fewer messages, each with all that it lacks.
    func sendWindow(_ number: Int, _ feed: WindowFeed) async {
        let queue = server.handler.queue
        let following = Task { await feed.follow(queue) }
        defer { following.cancel() }
        for await _ in feed.signals {
            guard !Task.isCancelled, connection.isOpen else { return }
            guard let update = feed.take() else { continue }
            send(notice(number, .window(update)))
            await connection.waitForCapacity()
        }
        if !Task.isCancelled { send(notice(number, .ended)) }
    }

    /// The text in which words of a filter are searched, besides name and address.
    var filterReason: @Sendable (Transfer) -> String? {
        let words = server.options.words
        return { words.failure($0) ?? words.reason($0) }
    }

    private func notice(_ number: Int, _ content: WireUpdate.Content) -> Notice<WireUpdate> {
        Notice(method: ControlNotice.update, params: WireUpdate(subscription: number, content))
    }
}
