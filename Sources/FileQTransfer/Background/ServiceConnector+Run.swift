// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import TransferControl
import TransferModel

/// Reconnects and works off the ledger over each connection.
extension ServiceConnector {
    /// Why work on a connection ended.
    private enum End {
        /// The connection closed.
        case lost
        /// The service replied with an error.
        case refused
    }

    /// Runs from ``start(_:)`` until the session is released.
    func run(_ first: (any QueueClient)?) async {
        var client = first
        var delay = Self.firstDelay
        while true {
            if let client, enter(.connected) {
                if await converse(client) == .lost { delay = Self.firstDelay }
                _ = enter(.away)
            }
            client = nil
            guard state.withLock({ $0.phase == .away }) else { break }
            do {
                try await pause(delay)
                let next = try await connect()
                try await compare(next)
                client = next
            } catch {
                if !Task.isCancelled { failWaiters(TransferError(serviceFailure: error)) }
            }
            delay = min(delay * 2, Self.longestDelay)
        }
        closed()
    }

    /// - Returns: whether it succeeded; false if the session is closing.
    private func enter(_ phase: Phase) -> Bool {
        state.withLock { state in
            guard state.phase != .closing else { return false }
            state.phase = phase
            return true
        }
    }

    /// Processes updates and works until the connection ends.
    private func converse(_ client: any QueueClient) async -> End {
        let (bell, ringing) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.bell = ringing }
        defer { state.withLock { $0.bell = nil } }
        ringing.yield()
        return await withTaskGroup(of: End.self) { group in
            group.addTask {
                for await update in client.updates(of: self.identifier) { self.updateReceived(update) }
                return .lost
            }
            group.addTask {
                for await _ in bell {
                    if let end = await self.workOff(client) { return end }
                }
                return .lost
            }
            defer { group.cancelAll() }
            return await group.next() ?? .lost
        }
    }

    private func updateReceived(_ update: QueueUpdate) {
        let transfers: [Transfer] =
            switch update {
            case .snapshot(let snapshot): snapshot.transfers
            case .events(let events): events.map(\.transfer)
            case .order, .removed, .limits: []
            }
        var changes: [(Int, Transfer)] = []
        note { ledger in
            for transfer in transfers where transfer.session == identifier {
                if let task = ledger.changed(transfer) { changes.append((task, transfer)) }
            }
        }
        for (task, transfer) in changes { deliver(.changed(task: task, transfer)) }
    }

    /// After a new connection or an error: compares with the service's data.
    private func compare(_ client: any QueueClient) async throws(TransferError) {
        let found = try await Findings(client, session: identifier)
        var lost: [Int] = []
        note { ledger in
            ledger.overtook(found.overtaken)
            lost = ledger.compare(found.events, found.transfers, isPage: found.isPage)
            for task in lost { ledger.forget(task) }
        }
        for task in lost {
            deliver(
                .refused(
                    task: task,
                    TransferError(.other, .backgroundTransferGone)))
        }
    }

    // MARK: Working

    /// Executes pending steps.
    /// - Returns: why work must stop on this connection; `nil`: all is done.
    private func workOff(_ client: any QueueClient) async -> End? {
        while !Task.isCancelled {
            let (step, isClosing) = state.withLock { state in
                let isClosing = state.phase == .closing
                return (state.ledger.next(isClosing: isClosing), isClosing)
            }
            guard let step else {
                resumeWaitersIfDone()
                return isClosing ? .lost : nil
            }
            do {
                try await carryOut(step, client)
            } catch {
                guard !Task.isCancelled, !isClosing else { return .lost }
                if let end = await refused(step, TransferError(serviceFailure: error), client) { return end }
            }
        }
        return .lost
    }

    private func carryOut(_ step: SessionLedger.Step, _ client: any QueueClient) async throws {
        switch step {
        case .acknowledge(let sequence):
            try await client.acknowledgeSessionEvents(of: identifier, upTo: sequence)
            note { $0.acknowledged(upTo: sequence) }
        case .fetchEvents:
            fetched(try await client.sessionEvents(of: identifier, limit: SessionEvent.maximumLimit))
        case .add(let order, let token, let paused):
            let terms = TransferTerms(
                paused: paused, earliestBegin: order.earliestBegin, isDiscretionary: order.isDiscretionary,
                session: identifier, taskDescription: TaskDescription(order, token: token).text)
            let description = order.description(downloadingTo: folder.file(task: order.task, token: token))
            guard let id = try await client.add([description], on: terms).first else {
                throw TransferError(.other, .backgroundNoID)
            }
            note { $0.added(order.task, id) }
        case .perform(let command, let transfer, let task):
            try await client.perform(command, on: [transfer])
            note { $0.performed(command, on: task) }
        case .forget(let task):
            note { $0.forget(task) }
            deliver(.refused(task: task, .cancelled))
        }
    }

    /// A step failed. If the service still replies it was rejected, and will be again.
    private func refused(_ step: SessionLedger.Step, _ error: TransferError, _ client: any QueueClient) async -> End? {
        do throws(TransferError) { try await compare(client) } catch { return .lost }
        switch step {
        case .acknowledge, .fetchEvents:
            failWaiters(error)
            return .refused
        case .add(let order, _, _):
            guard !state.withLock({ $0.ledger.has(order.task) }) else { return nil }
            // A slow service may still add it.
            if error.code == .timedOut { return .refused }
            note { $0.forget(order.task) }
            deliver(.refused(task: order.task, error))
        case .perform(let command, _, let task): note { $0.performed(command, on: task) }
        case .forget: break
        }
        return nil
    }

    // MARK: Ends

    private func fetched(_ events: [SessionEvent]) {
        let isPage = events.count == SessionEvent.maximumLimit
        var reported: [(event: SessionEvent, task: Int?)] = []
        var mustCheckAgain = false
        note { ledger in
            reported = ledger.fetched(events, isPage: isPage)
            mustCheckAgain = ledger.awaitsEvents && !isPage
        }
        for (event, task) in reported {
            guard let end = end(event, task) else {
                note { $0.delivered(event.sequence) }
                continue
            }
            deliver(.ended(end))
        }
        let isFirst = state.withLock { state in
            defer { if !isPage { state.isCaughtUp = true } }
            return !isPage && !state.isCaughtUp
        }
        if isFirst { deliver(.caughtUp) }
        recheck(mustCheckAgain)
    }

    private func end(_ event: SessionEvent, _ task: Int?) -> BackgroundEnd? {
        guard let origin = BackgroundTask(event.transfer, identifier: nextIdentifier) else { return nil }
        var fields = HTTPFields()
        for field in event.responseFields {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        let isOurs = event.transfer.kind == .download && folder.owns(event.transfer.file)
        return BackgroundEnd(
            sequence: event.sequence, task: task, origin: origin, responseFields: fields,
            temporaryFile: isOurs ? event.transfer.file : nil)
    }

    /// A queue reports an end before it has recorded it: polls until the record exists.
    private func recheck(_ isNeeded: Bool) {
        let delay = state.withLock { state -> Double? in
            guard isNeeded else {
                state.checkDelay = Self.firstDelay
                return nil
            }
            guard !state.isCheckPlanned else { return nil }
            state.isCheckPlanned = true
            defer { state.checkDelay = min(state.checkDelay * 2, 5) }
            return state.checkDelay
        }
        guard let delay else { return }
        Task { [weak self, pause] in
            try? await pause(delay)
            self?.state.withLock { $0.isCheckPlanned = false }
            self?.note { $0.fetchIsDue() }
        }
    }
}
