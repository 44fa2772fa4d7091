// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Carries out what an ``SessionCore/UploadMachine`` decides, one task per exchange.
extension UploadRun {
    func follow(_ step: UploadStep, after task: TransferTask? = nil) {
        collectRemovals()
        if !step.continuesParts { endBeside(after: step) }
        switch step {
        // The exchange before may have ended without a response, while the transfer waited for the network.
        case .send, .commit, .sendPlain, .finish: engine.takeSlotAgain(self)
        default: break
        }
        switch step {
        case .await: awaitStream()
        case .join(let number): join(number)
        case .send(let exchange): launch(exchange)
        case .commit(let exchange):
            let attempt = generation
            resumption.isCommitting = true
            commitPoint { [self] error in
                guard generation == attempt, !engine.hasEnded else { return }
                guard error == nil, engine.queue[id]?.state == .running, !engine.isShuttingDown else {
                    withhold()
                    if let error { engine.handleFailure(self, error, retryAfter: nil) } else { launch(exchange) }
                    return
                }
                resumption.isCommitting = false
                launch(exchange, isStored: true)
            }
        case .sendPlain:
            (resumption.isPlain, resumption.upload) = (resumption.upload?.found == UploadSupport.none, nil)
            guard engine.queue[id]?.state == .running else { return }
            guard !hasConsumedStream else { return engine.failed(self, streamIsGone) }
            sendPlainly(resumption.plain.cookies, resumption.plain.method)
        case .finish(let isVerdict): finish(task, isVerdict: isVerdict)
        case .failed(let error):
            let canRepeat = resumption.upload?.point != nil || (task as? UploadTask).map(canRepeat) ?? true
            engine.handleFailure(
                self, explained(error), retryAfter: engine.retryAfter(task?.response), isRepeatable: canRepeat)
        case .busy(let error): engine.retry(self, error, retryAfter: engine.retryAfter(task?.response))
        case .refused(let error):
            abandon()
            guard let head = task?.response else { return engine.failed(self, error) }
            refused(error, head, afterWholeBody: false, isRepeatable: false)
        case .restart(let error) where hasConsumedStream:
            forgetPoint()
            engine.failed(self, error)
        case .restart(let error):
            forgetPoint()
            engine.handleFailure(self, error, retryAfter: nil)
        case .end(let error):
            abandon()
            engine.failed(self, error)
        }
    }

    /// - Parameter isStored: the point is stored as it is now.
    func launch(_ exchange: UploadExchange, isStored: Bool = false) {
        // Paused meanwhile: resuming asks the server first.
        guard let session = engine.session, engine.queue[id]?.state == .running else { return }
        if let algorithm = exchange.checksum { return launch(exchange, withChecksum: algorithm, isStored: isStored) }
        answer = []
        if exchange.signature != nil { return launchSigned(exchange, isStored: isStored) }
        let request = request(for: exchange)
        guard let range = exchange.body, !range.isEmpty else {
            return engine.attempt(self) {
                // Parts of different versions of the file are not joined.
                if exchange.purpose == .completion {
                    do throws(TransferError) { _ = try source() } catch {
                        resumption.upload?.withheld()
                        throw error
                    }
                }
                resumption.exchange = exchange
                engine.launch(session.dataTask(with: request, body: exchange.body.map { _ in [] }), for: self)
            }
        }
        if let spool = resumption.spool {
            guard range.lowerBound >= spool.start else { return engine.failed(self, streamIsGone) }
            resumption.exchange = exchange
            return engine.launch(session.uploadTask(with: request, body: .bytes(spool.bytes(range))), for: self)
        }
        engine.attempt(self) {
            let source = try source()
            resumption.exchange = exchange
            let isVerified = resumption.verified != nil
            let digest = isWhole(exchange) ? UploadReceipt.algorithm(for: upload, isVerified: isVerified) : nil
            let gate = gate(exchange, isStored: isStored)
            engine.launch(
                session.uploadTask(with: request, source: source, range: range, digest: digest, gate: gate), for: self)
            sendBeside()
        }
    }

    /// Reads what the exchange will send, elsewhere. The second reading finds it in memory.
    private func launch(_ exchange: UploadExchange, withChecksum algorithm: Checksum.Algorithm, isStored: Bool) {
        guard let range = exchange.body else { return }
        let spool = resumption.spool
        if let spool, range.lowerBound < spool.start { return engine.failed(self, streamIsGone) }
        // The spool itself would keep its descriptor in use after the end of the upload.
        let held = spool?.bytes(range)
        engine.readFile(of: self) { [path = file] () -> [UInt8]? in
            guard let held else { return FileDigest.compute(algorithm, path: path, range: range) }
            return FileDigest.compute(algorithm, of: held)
        } then: { [self] digest in
            guard let digest else {
                return engine.failed(
                    self,
                    TransferError(
                        .cannotReadSource,
                        file: .init(.lacksBytes, bytes: Int64(range.count), position: range.lowerBound), path: file,
                        variant: .sourceChanged))
            }
            launch(exchange.stating(Checksum(algorithm: algorithm, bytes: digest)), isStored: isStored)
        }
    }

    /// What waits for the store is not sent.
    func withhold() {
        guard resumption.isCommitting else { return }
        resumption.isCommitting = false
        resumption.upload?.withheld()
    }

    var streamIsGone: TransferError {
        TransferError(
            .cannotReadSource, .streamPassed, host: description.url.authority,
            fields: .init(variant: .streamUsedUp))
    }

    /// The file, still the one that the upload began with.
    func source() throws(TransferError) -> UploadSourceFile {
        if let opened { return opened }
        let source = try UploadSourceFile(path: file)
        try requireSameSource(try UploadSourceStatus(upload.source))
        return source
    }

    private func isWhole(_ exchange: UploadExchange) -> Bool { exchange.body == 0..<(resumption.source?.size ?? -1) }

    func request(for exchange: UploadExchange) -> TransferRequest {
        var request = engine.request(for: self, method: exchange.method, at: exchange.url)
        let isForeign = exchange.url.origin != description.url.origin
        if isForeign { request.options.usesNetrc = false }
        request.url = exchange.url.replacingCredential(isForeign ? nil : description.url.credential)
        (request.method, request.staysAtOrigin) = (exchange.method, exchange.staysAtOrigin)
        let exchange = exchange.stating(
            metadata: request.options.headers.filter { $0.name == .uploadMetadata }.map(\.value))
        let replaced = Set(exchange.fields.map(\.name))
        request.options.headers.removeAll {
            replaced.contains($0.name) || !exchange.carries($0.name)
        }
        for field in exchange.fields { request.options.headers.append(field) }
        if exchange.carriesSubject, !isForeign { request.options.cookies += resumption.plain.cookies }
        request.reusesConnection = exchange.purpose == .append
        if exchange.purpose == .discovery {
            request.closesConnection = true
            let most = UploadExchange.patience
            request.options.requestTimeout = min(request.options.requestTimeout ?? most, most)
        }
        return request
    }
}
