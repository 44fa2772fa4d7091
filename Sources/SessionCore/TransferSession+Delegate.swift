// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// Calls of the delegates, on the delegate queue.
extension TransferSession {
    var interests: Interests { guarded.withLock { $0.audience.interests } }

    func notifyDelegate(_ events: [TaskEvent], of identifier: Int) {
        let (audience, kept) = guarded.withLock { ($0.audience, $0.tasks[identifier]) }
        guard let task = kept else { return }
        let own = task.carrier.audience
        let notifier = DelegateNotifier(
            session: self, taskDelegate: own.task ?? audience.task, dataDelegate: own.data ?? audience.data,
            downloadDelegate: own.download ?? audience.download)
        for event in events { notifier.notify(event, of: task) }
    }

    /// Delivers an event of a task with a closure also to the task's own delegate, if the event is common to every kind
    /// of task; that it waits, without one, to the session's.
    func notifyTaskDelegate(_ event: TaskEvent, of identifier: Int) {
        let (audience, kept) = guarded.withLock { ($0.audience, $0.tasks[identifier]) }
        let isWait = if case .waiting = event { true } else { false }
        guard let task = kept, let delegate = task.carrier.audience.task ?? (isWait ? audience.task : nil) else {
            return
        }
        DelegateNotifier(session: self, taskDelegate: delegate, dataDelegate: nil, downloadDelegate: nil).notify(
            event, of: task)
    }

    /// Asks the delegate, in order among the task's events.
    func ask(_ question: Question, _ driver: TaskDriver, _ answered: @escaping @Sendable (QuestionAnswer) -> Void) {
        outbox.post(
            Inquiry(identifier: driver.identifier, session: self) { [self] task in
                put(question, to: delegates(of: task), task, answered)
            })
    }

    private func delegates(of task: TransferTask) -> [any TransferSessionDelegate] {
        let own = task.carrier.audience.session
        return [own, delegate].compactMap { $0 }
    }

    private func put(
        _ question: Question, to delegates: [any TransferSessionDelegate], _ task: TransferTask,
        _ answered: @escaping @Sendable (QuestionAnswer) -> Void
    ) {
        switch question {
        case .redirect(let redirect):
            let answer = OneAnswer<Redirect?>(default: redirect) { answered(.redirect($0)) }
            guard let decider = delegates.first(of: (any TransferRedirectDelegate).self) else { return }
            decider.session(self, task: task, willFollow: redirect) { answer($0) }
        case .response(let response):
            let answer = OneAnswer<ResponseDisposition>(default: .allow) { answered(.response($0)) }
            guard let decider = delegates.first(of: (any TransferResponseDelegate).self) else { return }
            decider.session(self, task: task, decideOn: response) { answer($0) }
        case .challenge(let challenge):
            let answer = OneAnswer<ChallengeDisposition>(default: .performDefaultHandling) { answered(.challenge($0)) }
            if challenge.protectionSpace.method.isSessionWide,
                let decider = delegate as? any TransferSessionChallengeDelegate
            {
                decider.session(self, didReceive: challenge) { answer($0) }
            } else if let decider = delegates.first(of: (any TransferTaskChallengeDelegate).self) {
                decider.session(self, task: task, didReceive: challenge) { answer($0) }
            }
        }
    }

    func askForNewBody(_ driver: TaskDriver, _ answered: @escaping @Sendable (Int32?) -> Void) {
        outbox.post(
            Inquiry(identifier: driver.identifier, session: self) { [self] task in
                let answer = OneAnswer<Int32?>(default: nil, answered)
                let decider = delegates(of: task).first(of: (any TransferUploadDelegate).self)
                decider?.session(self, task: task, needNewBodyStream: { answer($0) })
            })
    }

    func askAboutDelayed(_ driver: TaskDriver, _ answered: @escaping @Sendable (DelayedRequestDisposition) -> Void) {
        outbox.post(
            Inquiry(identifier: driver.identifier, session: self) { [self] task in
                let answer = OneAnswer<DelayedRequestDisposition>(default: .continueLoading, answered)
                let decider = delegates(of: task).first(of: (any TransferDelayDelegate).self)
                decider?.session(self, task: task, willBeginDelayed: task.originalRequest) { answer($0) }
            })
    }

    func askWhetherToCache(
        _ response: CachedResponse, _ driver: TaskDriver,
        _ answered: @escaping @Sendable (CachedResponse?) -> Void
    ) {
        outbox.post(
            Inquiry(identifier: driver.identifier, session: self) { [self] task in
                let answer = OneAnswer<CachedResponse?>(default: response, answered)
                let decider = delegates(of: task).first(of: (any TransferCacheDelegate).self)
                decider?.session(self, task: task, willCache: response) { answer($0) }
            })
    }
}

extension [any TransferSessionDelegate] {
    /// The first delegate that conforms to a protocol.
    fileprivate func first<Family>(of family: Family.Type) -> Family? {
        for delegate in self { if let found = delegate as? Family { return found } }
        return nil
    }
}

/// Maps events to delegate calls.
private struct DelegateNotifier {
    let session: TransferSession
    let taskDelegate: (any TransferTaskDelegate)?
    let dataDelegate: (any TransferDataDelegate)?
    let downloadDelegate: (any TransferDownloadDelegate)?

    func notify(_ event: TaskEvent, of task: TransferTask) {
        switch event {
        case .informational(let head): taskDelegate?.session(session, task: task, didReceiveInformational: head)
        case .sent(let bytes, let total, let expected):
            taskDelegate?.session(session, task: task, didSend: bytes, total: total, expected: expected)
        case .waiting(let wait):
            if wait != nil, task.carrier.isFirstWait {
                taskDelegate?.session(session, taskIsWaitingForConnectivity: task)
            }
            taskDelegate?.session(session, task: task, didChangeWait: wait)
        case .response(let head):
            if !(task is DownloadTask) { dataDelegate?.session(session, task: task, didReceive: head) }
        case .data(let bytes): dataDelegate?.session(session, task: task, didReceive: bytes)
        case .becameDownload(let former, let download):
            dataDelegate?.session(session, task: former, didBecome: download)
        case .becameStream(let stream): dataDelegate?.session(session, task: task, didBecome: stream)
        case .betterRoute: taskDelegate?.session(session, betterRouteDiscoveredFor: task)
        case .metrics(let metrics): taskDelegate?.session(session, task: task, didCollect: metrics)
        case .completed(let error): taskDelegate?.session(session, task: task, didComplete: error)
        case .resumed, .wrote, .finishedDownload:
            if let download = task as? DownloadTask { notify(event, of: download) }
        }
    }

    private func notify(_ event: TaskEvent, of task: DownloadTask) {
        switch event {
        case .resumed(let offset, let expected):
            downloadDelegate?.session(session, task: task, didResumeAt: offset, expected: expected)
        case .wrote(let bytes, let total, let expected):
            downloadDelegate?.session(session, task: task, didWrite: bytes, total: total, expected: expected)
        case .finishedDownload(let path): downloadDelegate?.session(session, task: task, didFinishDownloadingTo: path)
        default: break
        }
    }
}
