// SPDX-License-Identifier: MIT

import HTTPTypes
import HummingbirdCore
import NIOCore
import Platform
import TransferModel

/// The connection of an append.
struct UploadExchange: Sendable {
    let channel: any Channel
    let watch: ProgressWatch
    let request: HTTPRequest
    /// `Expect: 100-continue`
    let isAskedToContinue: Bool

    /// Ends the connection, and with it the request.
    func end() { channel.close(promise: nil) }
}

extension RequestHandler {
    /// A later request took over; its connection is closed.
    struct Superseded: Error {}

    /// Receives the content of an append. Whatever interrupts it, the bytes received so far count.
    func receive(
        _ upload: UploadAppend, from body: inout IncomingBody, _ exchange: UploadExchange,
        _ writer: borrowing ResponseWriter
    ) async throws -> Answer {
        switch upload.subject {
        case .existing(let entry):
            return try await append(upload, to: entry, from: &body, exchange, writer, isCreation: false)
        case .creation(let creation, let target, let stored):
            let entry = try await blocking { try self.create(creation, target, stored) }
            do {
                var answer = try await append(upload, to: entry, from: &body, exchange, writer, isCreation: true)
                if creation.isContentDigest, answer.status == .unprocessableContent { answer.stateDamagedContent() }
                if answer.headers[.location] == nil { try await forgetUnannounced(entry) }
                return answer
            } catch {
                try await forgetUnannounced(entry)
                throw error
            }
        }
    }

    /// Blocks.
    private func create(
        _ creation: UploadCreation, _ target: UploadState.Target, _ stored: StoredUpload
    ) throws
        -> UploadEntry
    {
        let bytes = creation.append.length ?? creation.append.contentLength
        try checkSize(bytes)
        return try resumables.create(
            target: target, name: stored.name, isTus: creation.dialect.isTus,
            length: creation.dialect.isTus ? creation.append.length : nil, reserving: bytes ?? 0
        ) { state in
            state.key = stored.key
            state.modified = stored.modified
            state.metadata = stored.metadata
            state.tusMetadata = creation.tusMetadata
            state.tusConcat = creation.concatenation?.description
            state.expected = creation.representation
            state.conditions = creation.conditions
        }
    }

    /// After an error, removes an upload whose URL the client cannot have.
    private func forgetUnannounced(_ entry: UploadEntry) async throws {
        guard !entry.isAnnounced, entry.resource.phase != .complete else { return }
        try await blocking { self.resumables.remove(entry) }
    }

    private func append(
        _ upload: UploadAppend, to entry: UploadEntry, from body: inout IncomingBody, _ exchange: UploadExchange,
        _ response: borrowing ResponseWriter, isCreation: Bool
    ) async throws -> Answer {
        guard let lease = await entry.access.acquire(atMost: patience, end: { exchange.end() }) else {
            try Task.checkCancellation()
            throw Self.locked
        }
        defer {
            resumables.recount(entry)
            entry.access.release(lease)
        }
        let answers = UploadAnswers(dialect: upload.dialect, path: entry.path, now: UploadStore.now())
        let writer: UploadWriter
        do {
            writer = try await blocking { try self.open(upload, entry, answers.now, isCreation: isCreation) }
        } catch let fault as UploadFault {
            if fault == .beyondLength { try await blocking { try self.deactivate(entry) } }
            return try await rejected(fault, entry, answers, isCreation: isCreation)
        } catch {
            guard let refusal = refusal(for: error) else { throw error }
            return answers.refused(refusal, entry.resource)
        }
        resumables.extend(entry)
        do {
            if isCreation, var head = answers.announcement(entry.resource) {
                RelativeLocation.apply(
                    to: &head.headerFields, of: exchange.request, port: exchange.channel.localAddress?.port)
                entry.update { $0.isAnnounced = true }
                try await response.writeInformationalHead(head)
            }
            if exchange.isAskedToContinue {
                try await response.writeInformationalHead(HTTPResponse(status: .continue))
            }
            try await fill(writer, of: entry, lease, from: &body, exchange, answers)
            let isWhole = try await blocking { try writer.end() }
            resumables.extend(entry)
            guard isWhole else { return answers.appended(entry.resource, isCreation: isCreation) }
        } catch {
            try await blocking {
                let result = Result { try writer.abandon() }
                // It may have failed by that.
                if entry.resource.phase == .failed { try self.deactivate(entry) }
                try result.get()
            }
            resumables.extend(entry)
            if let fault = error as? UploadFault { return answers.refused(fault, entry.resource) }
            guard let refusal = refusal(for: error) else { throw error }
            return answers.refused(refusal, entry.resource)
        }
        return try await finished(entry, answers, isCreation: isCreation)
    }

    /// Blocks.
    private func open(
        _ upload: UploadAppend, _ entry: UploadEntry, _ now: Double, isCreation: Bool
    ) throws
        -> UploadWriter
    {
        let resource = entry.resource
        // At another offset, the response is 409, whatever the size.
        if !isCreation, resource.phase == .open, upload.append.offset == resource.offset {
            let size = try resource.size(after: upload.append) ?? resource.offset
            try checkSize(size - resource.offset)
            try resumables.announce(max(size, resource.length ?? 0), of: entry)
        }
        return try UploadWriter(
            upload.append, to: entry, expected: upload.content, quota: resumables.quota, now: now)
    }

    private func rejected(
        _ fault: UploadFault, _ entry: UploadEntry, _ answers: UploadAnswers, isCreation: Bool
    )
        async throws -> Answer
    {
        guard fault == .completed, case .complete(let outcome) = entry.state.phase else {
            return answers.refused(fault, entry.resource)
        }
        // The response was lost, and the client repeats the empty request that completes the upload.
        if answers.repeatsOutcome { return answers.finished(entry.resource, outcome, isCreation: false) }
        return answers.refused(fault, entry.resource)
    }

    private func finished(_ entry: UploadEntry, _ answers: UploadAnswers, isCreation: Bool) async throws -> Answer {
        do {
            let outcome = try await finish(entry)
            return answers.finished(entry.resource, outcome, isCreation: isCreation)
        } catch let failure as FinalRefusal {
            return answers.refused(failure.refusal, entry.resource, isFinal: true)
        } catch {
            guard let refusal = refusal(for: error) else { throw error }
            return answers.refused(refusal, entry.resource)
        }
    }

    /// Reads all content, and reports progress on the way.
    private func fill(
        _ writer: UploadWriter, of entry: UploadEntry, _ lease: UploadAccess.Lease, from body: inout IncomingBody,
        _ exchange: UploadExchange, _ answers: UploadAnswers
    ) async throws {
        let batch = UploadBatch(writer)
        let reports = answers.reportsProgress ? self.reports(of: batch, writer, entry, exchange.channel, answers) : nil
        do {
            try await fill(batch, of: entry, lease, from: &body, exchange.watch, reports)
        } catch {
            await reports?.end()
            throw error
        }
        await reports?.end()
        try reports?.check()
    }

    private func reports(
        of batch: UploadBatch, _ writer: UploadWriter, _ entry: UploadEntry, _ channel: any Channel,
        _ answers: UploadAnswers
    ) -> ProgressReports {
        ProgressReports(on: channel, interval: configuration.limits.progressSeconds, pool: pool) { reported in
            guard !entry.resource.isTentative else { return nil }
            try batch.flush()
            return entry.resource.offset > reported ? try writer.sync() : nil
        } head: {
            answers.progress($0)
        }
    }

    private func fill(
        _ batch: UploadBatch, of entry: UploadEntry, _ lease: UploadAccess.Lease, from body: inout IncomingBody,
        _ watch: ProgressWatch, _ reports: ProgressReports?
    ) async throws {
        var pace = Pace(rate: configuration.rate)
        let most = configuration.rate == nil ? Self.batchBytes : pace.chunk
        var piece = budget.take(atMost: most)
        defer { budget.give(piece) }
        var failure: (any Error)?
        var isOpen = true
        while isOpen {
            watch.expect(.incoming)
            do {
                if let buffer = try await body.next() {
                    watch.progress(buffer.readableBytes)
                    batch.add(buffer)
                    try await wait(pace.delay(after: buffer.readableBytes, now: .now()))
                } else {
                    isOpen = false
                }
            } catch {
                // What arrived before counts.
                (failure, isOpen) = (error, false)
            }
            watch.expect(nil)
            try reports?.check()
            guard batch.bytes >= piece || !isOpen else { continue }
            try await write(isHashed: batch.isHashed) { try batch.flush() }
            budget.give(piece)
            piece = budget.take(atMost: most)
            if entry.access.isEnded(lease) { failure = failure ?? Superseded() }
            if failure != nil { break }
        }
        if let failure { throw failure }
    }
}
