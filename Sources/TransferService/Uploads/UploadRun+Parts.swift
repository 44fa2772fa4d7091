// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// Parts of an upload that are sent at the same time. The run's own task leads: what it waits for, and its failure, are
/// those of the attempt. A paused or waiting upload has no others.
extension UploadRun {
    /// Unless the user, the server or the queue wants fewer.
    nonisolated static let usualConnections = 4

    /// A part that is sent beside the own task.
    struct PartTask {
        let exchange: UploadExchange
        /// Unique in the run.
        let key: Int
        /// `nil` while its digest is computed.
        var task: TransferTask?
        var digest: [UInt8]?
        /// Bytes of it.
        var sent: Int64 = 0
    }

    /// Bytes that are on their way beside the own task.
    var sentBeside: Int64 { resumption.beside.values.reduce(0) { $0 + $1.sent } }

    // MARK: Beginning

    /// Sends further parts, if there are some. Those of a file that may hang follow each other.
    func sendBeside() {
        guard resumption.exchange?.purpose == .append, opened == nil, stop == nil, !engine.isShuttingDown,
            engine.session != nil, engine.queue[id]?.state == .running, resumption.upload is any ParallelUploadMachine
        else { return }
        if connections != nil { shareRate() }
        // What cannot be opened is a failure of the own task.
        while resumption.beside.count + 1 < engine.mostConnections(of: self), let source = try? source(),
            let (number, exchange) = nextBeside()
        {
            resumption.lastKey += 1
            let part = PartTask(exchange: exchange, key: resumption.lastKey)
            resumption.beside[number] = part
            prepare(number, part, source)
            guard resumption.beside[number] != nil else { return }
        }
    }

    private func nextBeside() -> (number: Int, exchange: UploadExchange)? {
        guard var machine = resumption.upload as? any ParallelUploadMachine else { return nil }
        defer { resumption.upload = machine }
        return machine.beside()
    }

    /// Computes the digest of the part, if its request is signed, then sends it.
    private func prepare(_ number: Int, _ part: PartTask, _ source: UploadSourceFile) {
        guard part.exchange.signature != nil, let range = part.exchange.body else {
            return launch(number, part, source, digest: nil)
        }
        engine.readFile(of: self) {
            let digest = FileDigest.compute(.sha256, of: source.descriptor, range: range)
            return source.hasChanged ? nil : digest
        } then: { [self] digest in
            guard resumption.beside[number]?.key == part.key else { return }
            // So is a file that has changed.
            guard let digest else { return forget(number) }
            launch(number, part, source, digest: digest)
        }
    }

    private func launch(_ number: Int, _ part: PartTask, _ source: UploadSourceFile, digest: [UInt8]?) {
        guard let session = engine.session, stop == nil, engine.queue[id]?.state == .running else {
            return forget(number)
        }
        var request = request(for: part.exchange)
        if let digest { request = signed(request, part.exchange, digest) }
        let task: TransferTask
        if let range = part.exchange.body {
            task = session.uploadTask(with: request, source: source, range: range, gate: gate(part.exchange))
        } else {
            task = session.dataTask(with: request, body: nil)
        }
        resumption.beside[number]?.task = task
        resumption.beside[number]?.digest = digest
        engine.launch(helper: task, for: self)
        shareRate()
    }

    private func forget(_ number: Int) {
        resumption.beside[number] = nil
        guard var machine = resumption.upload as? any ParallelUploadMachine else { return }
        machine.forget(beside: number)
        resumption.upload = machine
    }

    /// The own task is done, and all other parts are on their way: that of the part takes its place.
    func join(_ number: Int) {
        guard let part = resumption.beside.removeValue(forKey: number) else { return }
        guard let task = part.task else { return launch(part.exchange) }
        (resumption.exchange, resumption.digest, answer) = (part.exchange, part.digest, [])
        engine.promote(helper: task, of: self)
        shareRate()
    }

    // MARK: Events

    func part(_ task: TransferTask, hasSent total: Int64) {
        guard let number = number(of: task) else { return }
        resumption.beside[number]?.sent = total
        guard let progress = sent((self.task as? UploadTask)?.progress.sent ?? 0),
            engine.queue[id]?.state == .running, stop == nil
        else { return }
        engine.moved(self, to: progress.bytes, total: progress.total, confirmed: progress.confirmed)
    }

    func part(_ task: TransferTask, hasEnded error: TransferError?) {
        guard let number = number(of: task), let part = resumption.beside.removeValue(forKey: number),
            var machine = resumption.upload as? any ParallelUploadMachine
        else { return }
        let refusal = task.response.flatMap { HTTPStatusError.make($0, from: description.url) }
        var reply = UploadReply(
            task.response, from: task.currentURL, error: error, refusal: refusal,
            isEarly: (task as? UploadTask)?.hasEarlyResponse == true)
        reply.digest = part.digest
        reply.sent = error == nil && !reply.isEarly ? nil : task.handedOver
        reply.receivedAt = engine.scheduler.wallNow
        let before = machine.point?.offset ?? 0
        let end = machine.ended(beside: number, reply)
        resumption.upload = machine
        collectRemovals()
        noteLoss()
        let offset = machine.point?.offset ?? 0
        noteProgress(from: before, to: offset)
        engine.update(id) { $0.confirmed = offset }
        saveRecord()
        switch end {
        case .confirmed: sendBeside()
        case .lost: break
        case .unclear where resumption.breaks + 1 < PiecePlan.mostBreaks:
            resumption.breaks += 1
            sendBeside()
        // The own task finds out whether the part can be sent at all.
        case .unclear, .missing:
            resumption.breaks += refusal == nil ? 1 : 0
            if refusal != nil || resumption.breaks >= PiecePlan.mostBreaks { takeFewer(resumption.beside.count + 1) }
        }
        shareRate()
    }

    /// A part starts again, the others do not.
    func noteLoss() {
        guard var machine = resumption.upload as? any ParallelUploadMachine, let cause = machine.takeLoss()
        else { return }
        resumption.upload = machine
        engine.update(id, .restarted) { $0.setNote(.restarted(.failure(cause))) }
    }

    /// For as long as the run lasts.
    private func takeFewer(_ most: Int) { resumption.most = max(1, min(resumption.most, most)) }

    private func number(of task: TransferTask) -> Int? {
        resumption.beside.first { $0.value.task === task }?.key
    }

    // MARK: Ending

    /// What these tasks have sent of their parts is sent again.
    /// - Parameter step: what follows the end of the own task.
    func endBeside(after step: UploadStep? = nil) {
        // A server that refuses a part while others are on their way may take fewer.
        if case .failed(let error) = step, error.code == .httpStatus, !resumption.beside.isEmpty {
            takeFewer(resumption.beside.count)
        }
        guard !resumption.beside.isEmpty else { return }
        for (number, part) in resumption.beside {
            forget(number)
            part.task?.cancel()
        }
        // The own task may continue alone.
        shareRate()
    }

    /// The limit of the transfer is that of its connections together.
    func shareRate() {
        let rate = engine.queue[id]?.rateLimit.map { max(1, $0 / (connections ?? 1)) }
        task?.setRateLimit(rate)
        for part in resumption.beside.values { part.task?.setRateLimit(rate) }
    }
}

extension UploadStep {
    /// Other parts stay on their way.
    var continuesParts: Bool {
        switch self {
        case .join: true
        case .send(let exchange), .commit(let exchange): exchange.purpose == .append || exchange.isOfPart
        case .await, .sendPlain, .finish, .failed, .busy, .refused, .restart, .end: false
        }
    }
}
