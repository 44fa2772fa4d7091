// SPDX-License-Identifier: MIT

import Glibc
import TerminalInterface
import TransferModel

/// The texts of the interface's list: a cause in a few words for a row, and a line for the selected transfer.
extension MessageCatalog {
    /// The cause of a state, longest first; the cause begins each text, path and host are left out. Empty if there is
    /// none.
    static func brief(of transfer: Transfer) -> [String] {
        if let question = transfer.question, transfer.state == .paused { return brief(of: question) }
        if let error = transfer.error { return brief(of: error, transfer) }
        return transfer.note.map { brief(of: $0, transfer) } ?? []
    }

    private static func brief(of question: ConsentQuestion) -> [String] {
        switch question {
        case .trust(let trust): [trust.failure.text, "certificate"]
        case .login(let login) where login.hasUsualPort: [login.host]
        case .login(let login): [ConsentQuestion.authority(login.host, login.port), login.host]
        }
    }

    private static func brief(of note: TransferNote, _ transfer: Transfer) -> [String] {
        switch note {
        case .failure(let error): brief(of: error, transfer)
        case .question(let question): brief(of: question)
        case .network(let wait): brief(of: wait)
        case .skipped: ["exists, skipped", "skipped"]
        case .notModified: ["not modified"]
        case .moving: ["being moved", "moving"]
        case .mirror(_, let next, _): transfer.state.isEnded ? [] : ["asking \(next)", "next mirror"]
        case .text(let text): transfer.state.isEnded ? [] : [withoutServer(text, transfer)]
        case .restarted, .wrongMirror, .relocated, .moved, .notResumable, .encoded, .leftBehind, .adopted, .predecessor,
            .several:
            transfer.state.isEnded ? [] : [text(note)]
        }
    }

    /// Of a reason that comes as text.
    private static func withoutServer(_ text: String, _ transfer: Transfer) -> String {
        guard let url = try? TransferURL(transfer.url) else { return text }
        let place = [url.authority, url.host].first { text.starts(with: $0 + ": ") }
        return place.map { String(text.dropFirst($0.count + 2)) } ?? text
    }

    private static func brief(of wait: PathWait) -> [String] {
        switch wait {
        case .obstacle(let obstacle): brief(of: obstacle)
        case .notAllowed(let cost, let name): ["only \(cost.rawValue) \(name)", "\(cost.rawValue) only"]
        case .costPending: ["cost unknown"]
        case .silentResolver: ["no name server", "no DNS"]
        case .reported(let text, _): [text]
        }
    }

    private static func brief(of obstacle: PathObstacle) -> [String] {
        switch obstacle {
        case .noInterface: ["no network"]
        case .notConnected(let names): ["\(names.first ?? "network") not connected", "no network"]
        case .noAddress(let names): ["\(names.first ?? "network") has no address", "no address"]
        case .noRoute(_, let name?): ["\(name) is down", "no route"]
        case .routeDown(_, let name, _), .interfaceDown(let name): ["\(name) is down", "no route"]
        case .interfaceNotConnected(let name): ["\(name) not connected", "no network"]
        case .interfaceMissing(let name): ["no \(name)"]
        case .noRoute(_, nil), .noRouteThrough: ["no route"]
        }
    }

    private static func brief(of error: TransferError, _ transfer: Transfer) -> [String] {
        if let portal = error.fields.refusal?.portal {
            return ["sign in at \(portal)", (try? TransferURL(portal).host).map { "sign in at \($0)" }, "sign in"]
                .compactMap(\.self)
        }
        let whole = withoutPlace(error, transfer)
        let short: [String] =
            switch error.code.cause {
            case _ where error.fields.variant == .loginDeclined: ["login declined", "declined"]
            case _ where error.fields.variant == .trustDeclined: ["certificate rejected", "rejected"]
            case _ where error.fields.variant == .existsOnServer: ["exists already", "exists"]
            case _ where error.fields.variant == .changedOnServer: ["changed on the server", "changed"]
            case .httpStatus, .loginDenied: status(error, transfer, but: whole)
            case .hostNotResolved, .proxyNotResolved: ["name not resolved", "unresolved"]
            case .cannotConnect, .sendFailed, .receiveFailed: connection(error).filter { $0 != whole }
            case .timedOut: ["timed out", "timeout"]
            case .diskFull: ["disk full"]
            case .cannotWrite where error.systemErrno == EFBIG: ["file too large", "too large"]
            case .destinationExists: ["exists already", "exists"]
            case .checksumMismatch: ["checksum differs", "checksum"]
            case .certificateUntrusted, .certificateRefused: ["certificate"]
            case .clientCertificate: ["client certificate", "certificate"]
            case .tlsHandshake: ["TLS failed", "TLS"]
            case .pinMismatch: ["other public key", "other key"]
            case .notHTTP: ["not HTTP"]
            case .partialFile: ["connection closed", "closed"]
            case .noResponse: ["closed without response", "no response"]
            case .interfaceUnavailable: ["no network"]
            default: []
            }
        return ([whole] + short).filter { !$0.isEmpty }
    }

    /// `404 Not Found`, without what the server says besides, and `404`.
    private static func status(_ error: TransferError, _ transfer: Transfer, but whole: String) -> [String] {
        guard let status = error.fields.status ?? transfer.httpStatus else { return [] }
        let named = "\(status) \(error.fields.refusal?.phrase ?? "")"
        return (named == whole || named.hasSuffix(" ") ? [] : [named]) + [String(status)]
    }

    /// What happened to a connection, in the words of the system, fewer.
    private static func connection(_ error: TransferError) -> [String] {
        if error.fields.proxy != nil { return ["proxy failed", "proxy"] }
        return switch error.systemErrno {
        case ECONNREFUSED?: ["connection refused", "refused"]
        case ECONNRESET?: ["connection reset", "reset"]
        case ENETUNREACH?, ENETDOWN?: ["unreachable"]
        case EHOSTUNREACH?: ["no route"]
        case ETIMEDOUT?: ["timed out"]
        case nil where error.code.cause == .cannotConnect: ["no connection"]
        default: []
        }
    }

    /// The cause without digests, what follows a semicolon, and the host or path at its beginning, which the row shows
    /// elsewhere.
    static func parts(_ error: TransferError, _ transfer: Transfer) -> (text: String, place: String?) {
        if error.fields.problem == nil, let refusal = error.fields.refusal, let status = error.fields.status {
            return ("\(status)\(refusal.said)", error.fields.host)
        }
        if let text = error.fields.mismatch.flatMap(withoutDigests) { return (text, nil) }
        var places = [error.fields.host, error.fields.path, transfer.file, PartialName.path(for: transfer.file)]
        if let url = try? TransferURL(transfer.url) { places += [url.authority, url.host] }
        let text = cause(of: error)
        let place = places.compactMap(\.self).first { text.starts(with: $0 + ": ") }
        let rest = place.map { text.dropFirst($0.count + 2) } ?? Substring(text)
        return (String(rest.prefix { $0 != ";" }), place)
    }

    private static func withoutPlace(_ error: TransferError, _ transfer: Transfer) -> String {
        parts(error, transfer).text
    }

    // MARK: The line

    /// The state of a transfer with its cause, and the keys that help; longest first.
    static func why(_ transfer: Transfer, _ keys: InterfaceWords.Keys) -> [String] {
        lines(facts(of: transfer).map { $0 + "." }, help(for: transfer, keys))
    }

    /// Sentences that state something, with those that name a key, each longest first. A shorter help comes before a
    /// shorter fact: a line says why before it names all keys.
    static func lines(_ facts: [String], _ helps: [String]) -> [String] {
        guard let last = facts.last, !helps.isEmpty else { return facts }
        return facts.flatMap { fact in helps.map { "\(fact) \($0)" } } + [last]
    }

    private static func facts(of transfer: Transfer) -> [String] {
        let server = (try? TransferURL(transfer.url))?.authority ?? ""
        switch transfer.state {
        case .queued: return ["Queued" + (transfer.note.map { ": " + text($0) } ?? "")]
        case .running:
            let attempt = transfer.attempt > 1 ? ", attempt \(transfer.attempt)" : ""
            let place = transfer.kind == .download ? "Runs from \(server)" : "Runs to \(server)"
            let connections = transfer.connections.flatMap { $0 > 1 ? " over \($0) connections" : nil } ?? ""
            return [place + connections + attempt, place + attempt, "Runs"]
        case .verifying: return ["All bytes are there and are being verified"]
        case .waiting:
            let causes = [reason(of: transfer) ?? "for the network"] + brief(of: transfer)
            return causes.map { "Waits: \($0)" } + ["Waits"]
        case .retrying: return brief(of: transfer).map { "Retries: \($0)" } + ["Retries"]
        case .paused:
            if let question = transfer.question { return facts(of: question) }
            if transfer.pausedBy == .queue { return ["Paused with the whole queue", "Paused"] }
            if transfer.isHeldByPredecessor { return brief(of: transfer).map { "Paused: \($0)" } }
            return [transfer.error.map { "Paused: " + withoutPlace($0, transfer) } ?? "Paused"]
        case .completed:
            let place = transfer.kind == .download ? "Saved as \(transfer.file)" : "Sent to \(server)"
            let note = transfer.note.map { "\(place): " + text($0) }
            return [note, place, "Completed"].compactMap(\.self)
        case .cancelled:
            guard let note = transfer.note, note.deniesResuming else { return ["Cancelled"] }
            return ["Cancelled: \(text(note))", "Cancelled; its server does not allow resuming", "Cancelled"]
        case .failed: return facts(ofFailed: transfer)
        }
    }

    /// ``summary(of:)``, and with less for a narrow window. The name of a server stays as it is.
    private static func facts(of question: ConsentQuestion) -> [String] {
        let summary = summary(of: question)
        switch question {
        case .trust(let trust):
            let server = ConsentQuestion.authority(trust.host, trust.port)
            let cause = trust.failure.text
            return [summary, "\(server) is not trusted: \(cause)", capitalized(cause), "Not trusted"]
        case .login(let login):
            let words = short(login)
            return [login.isProxy ? capitalized(summary) : summary, words.whole, capitalized(words.least)]
        }
    }

    /// A login that is asked for, without what the server calls itself; and without the server.
    static func short(_ login: ConsentQuestion.Login) -> (whole: String, least: String) {
        let server = ConsentQuestion.authority(login.host, login.port)
        if login.hasFailed { return ("\(server) did not accept the login", "login not accepted") }
        return ("\(server) asks for a login", "asks for a login")
    }

    /// A sentence of keys with full stop, longest first; empty if none helps.
    static func help(for transfer: Transfer, _ keys: InterfaceWords.Keys) -> [String] {
        switch transfer.state {
        case .queued: return ["\(keys.top) moves it to the top."]
        case .running, .verifying, .completed: return []
        case .waiting where transfer.canBeLifted:
            return ["\(keys.lift) uses this network now.", "\(keys.lift) uses it."]
        case .waiting:
            return remedy(for: transfer).map { ["\(capitalized($0)): it then resumes."] } ?? [
                "It resumes automatically."
            ]
        case .retrying: return ["\(keys.retry) retries now.", "\(keys.retry) retries."]
        case .paused:
            switch transfer.question {
            case .trust: return ["\(keys.trust) shows the certificate.", "\(keys.trust) shows it."]
            case .login: return ["\(keys.login) logs in."]
            case nil where transfer.pausedBy == .queue:
                let release = "\(keys.pauseAll) releases the queue"
                return ["\(release), \(keys.pause) resumes this one.", "\(release)."]
            case nil: return ["\(keys.pause) resumes it."]
            }
        case .failed where isDeclined(transfer):
            return ["\(keys.retry) asks again, \(keys.remove) removes it.", "\(keys.retry) asks again."]
        case .failed where transfer.failedOnExistingFile:
            return [
                "\(replacing(keys)), \(keys.remove) removes it.", "\(replacing(keys)).",
                keys.keepBoth.map { "\($0) keeps both, \(keys.replace) replaces it." }
                    ?? "\(keys.replace) replaces or renames it.",
            ]
        case .failed where transfer.error?.fields.variant == .nameInUse:
            let rename = "\(keys.edit) saves it under another name"
            return ["\(rename), \(keys.remove) removes it.", "\(rename).", "\(keys.edit) renames it."]
        case .failed where isOfAddress(transfer):
            return [
                "\(keys.edit) edits the address, \(keys.remove) removes it.", "\(keys.edit) edits the address.",
                "\(keys.edit) edits it.",
            ]
        case .failed where isOfLogin(transfer):
            return ["\(keys.edit) edits the login, \(keys.remove) removes it.", "\(keys.edit) edits the login."]
        case .failed where isOfReceivedBytes(transfer):
            let again = "\(keys.retry) downloads it again", address = "\(keys.edit) edits the address"
            return ["\(again), \(address), \(keys.remove) removes it.", "\(again), \(address).", "\(again)."]
        case .failed, .cancelled:
            return ["\(keys.retry) retries, \(keys.remove) removes it.", "\(keys.retry) retries."]
        }
    }

    /// Whether another address helps, rather than another attempt.
    private static func isOfAddress(_ transfer: Transfer) -> Bool {
        guard let error = transfer.error else { return false }
        return switch error.code.cause {
        case .hostNotResolved: true
        case .httpStatus: (error.fields.status ?? transfer.httpStatus).map { $0 == 404 || $0 == 410 } ?? false
        default: false
        }
    }

    /// Whether another user name or password helps.
    private static func isOfLogin(_ transfer: Transfer) -> Bool {
        guard let error = transfer.error, error.code.cause == .loginDenied, error.fields.problem == nil,
            let refusal = error.fields.refusal
        else { return false }
        return error.fields.status == 401 && [nil, .loginOrBearerToken].contains(refusal.demand)
    }

    /// Whether the server sent other bytes than were expected, none of which stays.
    private static func isOfReceivedBytes(_ transfer: Transfer) -> Bool {
        guard let kind = transfer.error?.fields.mismatch?.kind else { return false }
        return kind == .download || kind == .part
    }

    static func replacing(_ keys: InterfaceWords.Keys) -> String {
        guard let both = keys.keepBoth else { return "\(keys.replace) replaces it or saves it under another name" }
        return "\(both) saves it under another name, \(keys.replace) replaces the file"
    }

    private static func isDeclined(_ transfer: Transfer) -> Bool {
        [.loginDeclined, .trustDeclined].contains(transfer.error?.fields.variant)
    }

    static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension ConsentQuestion.Login {
    /// That of the scheme.
    fileprivate var hasUsualPort: Bool {
        switch scheme {
        case "http": port == 80
        case "https": port == 443
        default: false
        }
    }
}
