// SPDX-License-Identifier: MIT

import TransferModel

/// From a request line to its reply.
extension ServerSession {
    func answer(_ line: [UInt8]) async {
        let incoming = IncomingRequest.read(line)
        do {
            let request = try incoming.content.get()
            guard isGreeted || request.method == .hello else {
                throw ControlError(.helloExpected, "say hello first, with your version of the protocol")
            }
            let result = try await carryOut(request, bytes: line.count)
            if !incoming.isNotification, let id = incoming.id { reply(id, result) }
            if case .subscribe(let number, let session) = request { subscribe(number, session) }
            if request == .shutDown { server.handler.shutDownRequested() }
        } catch {
            let known =
                error as? ControlError ?? (error as? TransferError).map(ControlError.init)
                ?? ControlError(.internalError, "the service failed to do it: \(type(of: error))")
            if !incoming.isNotification { send(ErrorAnswer(id: incoming.id, error: known)) }
        }
    }

    private func reply(_ id: MessageID, _ result: some Codable & Sendable) { send(Answer(id: id, result: result)) }

    /// - Parameter bytes: the size of the request's message.
    private func carryOut(_ request: ControlRequest, bytes: Int) async throws -> any Codable & Sendable {
        let queue = server.handler.queue
        switch request {
        case .hello(let client): return try greeted(client)
        case .add(let params): return try await add(params, bytes: bytes)
        case .list(let filter): return ListResult(transfers: try await queue.transfers(matching: filter))
        case .snapshot: return try await queue.snapshot()
        case .info(let id): return try await queue.info(id)
        case .perform(let params): try await queue.perform(params.command.command, on: params.ids)
        case .relocate(let params):
            let dropped = try await queue.relocate(params.id, to: params.place)
            return RelocateResult(dropped: dropped.isEmpty ? nil : dropped)
        case .getLimits: return try await queue.snapshot().limits
        case .setLimits(let limits): try await queue.setLimits(limits)
        case .getTimetable: return try await queue.timetable()
        case .setTimetable(let timetable):
            try timetable.validate()
            try await queue.setTimetable(timetable)
        case .subscribe(let number, _): try checkSubscription(number)
        case .unsubscribe(let number): await unsubscribe(number)
        case .history(let query):
            guard (1...HistoryQuery.maximumLimit).contains(query.limit) else {
                throw TransferError(.usage, "limit must be from 1 to \(HistoryQuery.maximumLimit)")
            }
            return HistoryResult(entries: try await queue.history(query))
        case .clear(let filter): return ClearResult(cleared: try await queue.clear(filter))
        case .sessionEvents(let params):
            let limit = params.limit ?? 100
            guard (1...SessionEvent.maximumLimit).contains(limit) else {
                throw TransferError(.usage, "limit must be from 1 to \(SessionEvent.maximumLimit)")
            }
            return SessionEventsResult(events: try await queue.sessionEvents(of: params.session, limit: limit))
        case .acknowledgeSessionEvents(let params):
            try await queue.acknowledgeSessionEvents(of: params.session, upTo: params.upTo)
        case .status: return try await server.status()
        case .ping, .shutDown: break
        }
        return Done()
    }

    private func add(_ params: AddParams, bytes: Int) async throws -> any Codable & Sendable {
        var descriptions = params.transfers
        let terms = params.terms
        if let list = params.list {
            let offset = params.offset ?? 0
            if params.more == true {
                return KeptResult(kept: try keep(descriptions, of: list, offset: offset, bytes: bytes))
            }
            descriptions = try complete(list, offset: offset, with: descriptions)
        }
        return AddResult(ids: try await server.handler.queue.add(descriptions, on: terms))
    }

    private func greeted(_ client: ClientHello) throws(ControlError) -> ServerHello {
        guard client.protocol == ControlProtocol.version else {
            throw ControlError(
                .incompatible,
                "the service speaks version \(ControlProtocol.version) of the protocol "
                    + "(it is version \(server.options.version)), the client version \(client.protocol); end the "
                    + "service with the program "
                    + "that started it")
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
    func tell(_ number: Int, _ session: String?) async {
        var isBehind: Bool
        repeat {
            isBehind = false
            let queue = server.handler.queue
            for await update in session.map({ queue.updates(of: $0) }) ?? queue.updates() {
                guard !Task.isCancelled, let line = try? ControlCoding.line(notice(number, .update(update))) else {
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

    private func notice(_ number: Int, _ content: WireUpdate.Content) -> Notice<WireUpdate> {
        Notice(method: ControlNotice.update, params: WireUpdate(subscription: number, content))
    }
}
