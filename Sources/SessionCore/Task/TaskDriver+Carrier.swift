// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import Synchronization
import TransferModel

/// What a task shows to any thread, and what it asks of the executor.
extension TaskDriver: TaskCarrier {
    nonisolated var audience: Audience {
        get { face.withLock { $0.delegate } }
        set { face.withLock { face in if !face.isEnded { face.delegate = newValue } } }
    }

    nonisolated var priority: Double {
        get { face.withLock { $0.settings.priority } }
        set {
            face.withLock { $0.settings.priority = newValue }
            post { driver in driver.session?.changePriority(of: driver.identifier, to: newValue) }
        }
    }

    nonisolated var earliestBegin: Double? {
        get { face.withLock { $0.settings.earliestBegin } }
        set { face.withLock { $0.settings.earliestBegin = newValue } }
    }

    nonisolated var taskDescription: String? {
        get { face.withLock { $0.settings.taskDescription } }
        set { face.withLock { $0.settings.taskDescription = newValue } }
    }

    nonisolated var clientExpects: (toSend: Int64?, toReceive: Int64?) {
        get { face.withLock { $0.settings.clientExpects } }
        set { face.withLock { $0.settings.clientExpects = newValue } }
    }

    nonisolated func setRateLimit(_ bytesPerSecond: Int?) {
        face.withLock { $0.settings.rateLimit = bytesPerSecond }
        post { driver in
            guard let exchange = driver.machine.exchange else { return }
            driver.session?.transport.setRateLimit(bytesPerSecond, of: exchange)
        }
    }

    // MARK: Calls

    nonisolated func resume() { enqueue(.resume) }
    nonisolated func suspend() { enqueue(.suspend) }
    nonisolated func cancel() { enqueue(.cancel) }
    nonisolated func cancel(byProducingResumeData receive: @escaping @Sendable (ResumeData?) -> Void) {
        enqueue(.cancelProducing(receive))
    }
    nonisolated func liftRestrictions() { enqueue(.liftRestrictions) }
    nonisolated func fail(_ error: TransferError) { enqueue(.fail(error)) }

    private nonisolated func enqueue(_ call: TaskSnapshot.Call) {
        if face.withLock({ $0.add(call) }) { post { $0.passCalls() } }
    }

    private func passCalls() {
        for asked in face.withLock({ $0.takeCalls() }) {
            switch asked {
            case .resume: call { $0.resume() }
            case .suspend: call { $0.suspend() }
            case .cancel: call { $0.cancel() }
            case .cancelProducing(let receive):
                guard session != nil, resumeDataReceiver == nil else {
                    observer.outbox.queue.async { receive(nil) }
                    break
                }
                resumeDataReceiver = receive
                call { $0.cancel() }
            case .liftRestrictions: call { $0.connectivityReturned() }
            case .fail(let error): call { $0.fail(error) }
            }
        }
    }

    // MARK: What a task shows

    nonisolated var publicState: TransferTask.State { face.withLock { $0.state } }
    nonisolated var pathWait: PathWait? { face.withLock { $0.wait } }
    nonisolated var currentURL: TransferURL { face.withLock { $0.url } ?? request.url }
    nonisolated var currentRequest: TransferRequest {
        var (current, sent) = face.withLock { ($0.replacement ?? originalRequest, $0.sent) }
        guard let sent else { return current }
        (current.url, current.method) = (sent.url, sent.method)
        current.options.headers = Array(sent.fields)
        // They are in the fields, as far as they were sent.
        current.options.cookies = []
        if !sent.isOriginalOrigin { current.options.credential = nil }
        return current
    }

    nonisolated var response: HTTPResponse? { face.withLock { $0.response } }
    nonisolated var error: TransferError? { face.withLock { $0.error } }
    nonisolated var progress: TaskProgress { face.withLock { $0.shownProgress } }
    nonisolated var digest: [UInt8]? { face.withLock { $0.digest } }
    nonisolated var refusedBody: [UInt8] { face.withLock { $0.refusedBody ?? [] } }
    nonisolated var hasEarlyResponse: Bool { face.withLock { $0.hasEarlyResponse } }
    nonisolated var handedOver: Int64 { face.withLock { $0.handedOver } }
    nonisolated var hasSentPasswordInClear: Bool { face.withLock { $0.hasSentPasswordInClear } }
    nonisolated var restartCause: RestartCause? { face.withLock { $0.restartCause } }
    nonisolated var uploadResumeData: UploadResumeData? {
        guard let known = face.withLock({ $0.uploadResumeData }) else {
            // Nothing was sent: the upload is where it was.
            if case .continued(let data) = payload, face.withLock({ $0.sent == nil }) { return data }
            return nil
        }
        return known
    }

    nonisolated var resumePoint: ResumePoint? {
        var given: ResumePoint?
        if case .download(let target) = payload { given = target.resume }
        return face.withLock { $0.resumePoint(given: given) }
    }

    /// For the delegate queue: the first wait that a task reports.
    nonisolated var isFirstWait: Bool {
        face.withLock { face in
            defer { face.hasReportedFirstWait = true }
            return !face.hasReportedFirstWait
        }
    }

    /// After the last event.
    nonisolated func forgetDelegate() {
        // Released outside the lock: a delegate's deinitializer may do anything.
        let former = face.withLock { face in
            defer { face.delegate = Audience(nil) }
            return face.delegate
        }
        withExtendedLifetime(former) {}
    }
}
