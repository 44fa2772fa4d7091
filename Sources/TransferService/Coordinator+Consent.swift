// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import SessionCore
import TransferModel

/// Questions that only the user can answer: whether to trust a server, and which login to use.
///
/// A challenge is answered immediately, with what is known or not at all, so that no connection is held while the user
/// decides. The run remembers the question; if the task fails because of it, the transfer is paused with the question,
/// and an answer starts a new attempt.
///
/// The session's delegate decides for tasks only, so connection-level challenges arrive here too, with their task.
extension Coordinator: TransferTaskChallengeDelegate {
    nonisolated func session(
        _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void
    ) {
        EngineActor.assumeIsolated {
            answer((owner(of: task) ?? ownerOfHelper(task)).map { meet(challenge, $0) } ?? .performDefaultHandling)
        }
    }

    private func meet(_ challenge: AuthenticationChallenge, _ run: Run) -> ChallengeDisposition {
        let space = challenge.protectionSpace
        switch space.method {
        case .clientCertificate: return .performDefaultHandling
        // A user cannot type in a token or a ticket; the server may offer another method.
        case .bearer, .negotiate: return .rejectProtectionSpace
        case .serverTrust:
            if let trust = challenge.serverTrust.flatMap(ConsentQuestion.Trust.init) {
                run.consent.question = .trust(trust)
            }
            return .performDefaultHandling
        case .basic, .digest, .ntlm:
            // Another connection of this run may have sent a later answer, and been let in.
            if challenge.previousFailureCount > 0, let refused = challenge.proposedCredential {
                run.consent.refused(refused, at: space)
                answers.drop(refused, at: space)
            }
            if let login = answers.login(for: space) {
                run.consent.note(sending: login)
                return .useCredential(.password(login.credential, .none))
            }
            if challenge.proposedCredential == nil || challenge.previousFailureCount > 0 {
                run.consent.question = ConsentQuestion(challenge)
            }
            return .performDefaultHandling
        }
    }

    /// Adds the login that the user entered for this run.
    func logIn(_ run: Run, at url: TransferURL, _ options: inout TransferOptions) {
        guard let login = run.consent.login, login.belongs(to: url) else { return }
        options.credential = login.isSentPreemptively ? login.credential : nil
        options.usesNetrc = false
    }

    /// Once per server.
    func warnOfClearPassword(_ task: TransferTask) {
        guard task.hasSentPasswordInClear else { return }
        let server = task.currentURL.authority
        guard serversWithClearPasswords.insert(server).inserted else { return }
        configuration.report(
            TransferError(
                .loginDenied, .passwordInClearText, host: server,
                fields: .init(variant: .passwordInClearText)))
    }

    /// Stores a login permanently only after a request with it has succeeded.
    func storeLogins(_ run: Run, _ task: TransferTask) {
        guard let status = task.response?.status.code, status != 401, status != 407,
            let storage = session?.configuration.credentialStorage
        else { return }
        let lasting = run.consent.sent.values.filter { $0.persistence == .always }
        guard !lasting.isEmpty else { return }
        writesUnderWay += 1
        let report = configuration.report
        // Another process may be changing the file, and for long.
        background.async { [self] in
            for login in lasting {
                do throws(TransferError) {
                    try storage.setDefault(login.credential, for: login.space, persistence: .permanent)
                } catch { report(error) }
            }
            EngineActor.async { [self] in
                writesUnderWay -= 1
                finishShuttingDown()
            }
        }
    }

    // MARK: Asking

    /// Pauses a transfer whose error an answer would resolve, or ends it if that was declined.
    /// - Returns: `false` if no answer would help, or none can come.
    func ask(_ run: Run, _ error: TransferError) -> Bool {
        guard let question = run.consent.question, question.isCause(of: error) else { return false }
        memories[run.id, default: RunMemory()].question = question
        // A program's transfers fail with the question in them: no user may be present to answer.
        guard configuration.asksUser, queue[run.id]?.session == nil, canBegin(run, again: question) else {
            run.consent.unanswered = question
            return false
        }
        if !answers.isDeclined(question) || queue[run.id]?.state == .paused { shadow?.note(.failed(.asks), run.id) }
        // A pause that came as the attempt failed stays; the next attempt asks.
        if queue[run.id]?.state == .paused {
            run.releaseFiles()
            return true
        }
        if answers.isDeclined(question) {
            end(run.id, .failed, question.declined(error))
            return true
        }
        run.consent.error = error
        run.releaseFiles()
        run.pausedAt = scheduler.now
        update(run.id, .paused) { $0.status = .paused(.question(question)) }
        // Another transfer's question may have been answered while this one was still failing.
        if isAnswered(question, run) { answered(run.id) }
        startWhatMay()
        return true
    }

    /// Nothing is sent before a server is trusted, so an attempt can be repeated; a login may be requested after a
    /// stream was read, which cannot be read again.
    private func canBegin(_ run: Run, again question: ConsentQuestion) -> Bool {
        if case .login = question, case .stream? = (run as? UploadRun)?.upload.source { return false }
        return true
    }

    private func isAnswered(_ question: ConsentQuestion, _ run: Run) -> Bool {
        switch question {
        case .trust(let trust): return isAccepted(trust) && run.consent.proceed(withKey: trust.publicKeySHA256)
        case .login(let login): return login.space.flatMap { answers.login(for: $0) } != nil
        }
    }

    private func isAccepted(_ trust: ConsentQuestion.Trust) -> Bool {
        guard let key = Fingerprint(trust.publicKeySHA256) else { return false }
        return trustStore?.accepts(host: trust.host, port: trust.port, publicKey: key) == true
    }

    // MARK: Answers

    /// Accepted keys. Its file may have to wait for other processes.
    var trustStore: TrustStore? { session?.configuration.trustStore }

    /// What a transfer asks about a key; `nil` if it does not.
    /// - Parameter expected: the answered question; `nil`: whatever is open.
    func askedTrust(of id: TransferID, _ expected: ConsentQuestion?) -> ConsentQuestion.Trust? {
        guard case .trust(let trust)? = openQuestion(of: id, expected) else { return nil }
        return trust
    }

    func key(of trust: ConsentQuestion.Trust) throws(TransferError) -> TrustedKey? {
        guard let publicKey = Fingerprint(trust.publicKeySHA256) else { return nil }
        return try TrustedKey(
            host: trust.host, port: trust.port, publicKey: publicKey,
            certificate: Fingerprint(trust.certificateSHA256), accepted: Int64(scheduler.wallNow),
            subject: trust.subject)
    }

    /// Their keys are accepted by now (``QueueCore/perform(_:on:)``), whatever became of the transfers that were
    /// answered meanwhile. One that an earlier process paused with its question has no run; its next attempt finds the
    /// answer.
    func answer(_ accepted: [ConsentQuestion.Trust]) {
        for trust in accepted where isAccepted(trust) {
            for id in transfers(asking: .trust(trust)) {
                _ = runs[id]?.consent.proceed(withKey: trust.publicKeySHA256)
                answered(id)
            }
        }
        startWhatMay()
    }

    /// Continues transfers whose keys were accepted by an earlier process that ended before it continued them.
    func continueAccepted() {
        for id in queue.order {
            if let trust = askedTrust(of: id, nil), isAccepted(trust) { answered(id) }
        }
    }

    /// The next attempt has the answer. In a queue that is held it waits for the release.
    private func answered(_ id: TransferID) {
        shadow?.note(.answered, id)
        if isHeld {
            update(id, .changed) { $0.status = .paused(.by(.queue)) }
        } else {
            requeue(id, runs[id] == nil ? .queued : .resumed)
        }
    }

    func logIn(
        _ id: TransferID, _ expected: ConsentQuestion?, _ credential: Credential, _ persistence: ConsentPersistence
    ) {
        guard case .login(let question)? = openQuestion(of: id, expected), let space = question.space else { return }
        let login = Consent.Login(space: space, credential: credential, persistence: persistence)
        answers.add(login)
        for id in transfers(asking: .login(question)) {
            runs[id]?.consent.login = login
            answered(id)
        }
    }

    func decline(_ id: TransferID, _ expected: ConsentQuestion?) {
        guard let question = openQuestion(of: id, expected) else { return }
        answers.decline(question)
        for id in transfers(asking: question) {
            memories[id, default: RunMemory()].question = question
            end(id, .failed, question.declined(runs[id]?.consent.error))
        }
    }

    /// - Parameter expected: `nil`: any. The user saw this one, and may answer it after the transfer asked another.
    private func openQuestion(of id: TransferID, _ expected: ConsentQuestion? = nil) -> ConsentQuestion? {
        guard let transfer = queue[id], transfer.state == .paused, let question = transfer.question else { return nil }
        return expected.map { $0.subject == question.subject } ?? true ? question : nil
    }

    /// In the queue's order.
    private func transfers(asking question: ConsentQuestion) -> [TransferID] {
        queue.order.filter { openQuestion(of: $0)?.subject == question.subject }
    }
}

extension ConsentQuestion {
    /// How a transfer ends whose question was declined: the same whether this process asked, which has the error of
    /// the attempt, or an earlier one did.
    fileprivate func declined(_ cause: TransferError?) -> TransferError {
        var error: TransferError
        switch self {
        case .trust(let trust):
            let server = Self.authority(trust.host, trust.port)
            var fields = TransferError.Fields(variant: .trustDeclined)
            fields.certificate = trust.failure
            error = TransferError(
                trust.failure == .otherKey ? .pinMismatch : .certificateUntrusted,
                .certificateDeclined, host: server, fields: fields)
        case .login(let login):
            let server = Self.authority(login.host, login.port)
            let realm = login.realm.map { TextLine.first(of: $0) }
            error = TransferError(
                .loginDenied, .loginDeclined, realm, host: server,
                fields: .init(status: login.isProxy ? 407 : 401, variant: .loginDeclined))
        }
        guard let cause else { return error }
        error.code = cause.code
        error.underlying.errno = cause.underlying.errno
        error.underlying.transport = cause.underlying.transport
        error.resumeData = cause.resumeData
        error.uploadResumeData = cause.uploadResumeData
        return error
    }
}
