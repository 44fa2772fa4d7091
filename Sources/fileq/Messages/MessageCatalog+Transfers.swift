// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// Notes, waits, and what ends them.
extension MessageCatalog {
    /// Why a transfer is as it is; `nil` if nothing is to be said.
    static func reason(of transfer: Transfer) -> String? { transfer.note.map(text) }

    /// One line without full stop.
    static func text(_ note: TransferNote) -> String {
        switch note {
        case .text(let text): return text
        case .failure(let error): return cause(of: error)
        case .question(let question): return summary(of: question)
        case .network(let wait): return wait.message
        case .restarted(let cause, let file, let bytes):
            let keeps = file.map { "; \($0) keeps its \(bytes) bytes until the new version is whole" } ?? ""
            return "started from the first byte: \(text(cause))\(keeps)"
        case .mirror(let failed, let next, let error): return "\(failed) failed (\(text(error))); asking \(next)"
        case .wrongMirror(let server): return "\(server) sent other bytes than it should; it is not asked any more"
        case .relocated: return "the address or login was replaced"
        case .moving(let folder): return "being moved to \(TextLine.first(of: folder))"
        case .moved: return "the file or folder was replaced"
        case .notResumable: return "this server does not allow resuming"
        case .encoded(let coding):
            return "the server encoded it without being asked (Content-Encoding: \(TextLine.first(of: coding))); "
                + "the file is saved as it came"
        case .leftBehind(let file, let bytes): return leftBehind(file, bytes)
        case .adopted(let offset): return "continued at byte \(offset), which this program did not send"
        case .skipped: return "exists already; skipped"
        case .notModified: return "not modified"
        case .predecessor(let id, let state): return "after \(id), which \(text(ofEnd: state))"
        case .several(let notes): return notes.map(text).joined(separator: "; ")
        }
    }

    private static func text(ofEnd state: TransferState?) -> String {
        switch state {
        case .failed: "failed"
        case .cancelled: "was cancelled"
        default: "has left the list without completing"
        }
    }

    static func leftBehind(_ file: String, _ bytes: Int64) -> String {
        "\(bytes) bytes are in \(file); this server does not allow resuming them"
    }

    /// What ends a wait or pause; `nil` without advice.
    static func advice(for transfer: Transfer) -> String? {
        remedy(for: transfer) ?? (transfer.state == .waiting ? nothingToDo : nil)
    }

    /// The same; `nil` also if there is nothing to do.
    static func remedy(for transfer: Transfer) -> String? {
        switch transfer.status {
        case .waiting(let wait):
            if case .network(let cause) = wait.note { return remedy(for: cause) }
            return wait.unavailableReason == nil ? nil : otherNetwork
        case .paused(.setAside(.predecessor(let id, _))):
            return "retry \(id), or resume this one, which then starts without it"
        case .paused(.noSpace): return "free some space where the file is written, then resume it"
        default: return nil
        }
    }

    private static let nothingToDo = "nothing to do: it resumes automatically"
    private static let otherNetwork = "let it use this network, or connect to another one"

    private static func remedy(for wait: PathWait) -> String? {
        switch wait {
        case .obstacle(let obstacle): remedy(for: obstacle)
        case .costPending, .silentResolver: nil
        case .notAllowed, .reported: wait.canBeLifted ? otherNetwork : nil
        }
    }

    private static func remedy(for obstacle: PathObstacle) -> String? {
        switch obstacle {
        case .noInterface: "turn the network on"
        case .interfaceDown(let name), .routeDown(_, let name, isUp: false), .noRoute(_, let name?):
            "turn \(TextLine.first(of: name)) on"
        case .notConnected, .interfaceNotConnected, .routeDown: "plug the cable in, or join a network"
        case .interfaceMissing(let name): "connect \(TextLine.first(of: name)), or add it again with another interface"
        case .noAddress, .noRoute, .noRouteThrough: nil
        }
    }

    /// For clients without a catalogue, and hooks.
    static let transferWords = TransferWords(
        reason: reason, advice: remedy, failure: { $0.error.map { cause(of: $0) } })
}

/// The sentences of the full-screen interface.
extension MessageCatalog {
    /// - Parameter home: shown as `~`.
    static func interfaceWords(home: String?) -> InterfaceWords {
        let path = HomePath(home)
        return InterfaceWords(
            failure: { path.shortened(interfaceText($0)) },
            reason: { transfer in
                // The advice about a pause repeats that about its error.
                guard remedy(for: transfer) == nil else {
                    return (transfer.error.map(cause(of:)) ?? reason(of: transfer)).map(path.shortened)
                }
                return (failure(of: transfer, interfaceText) ?? reason(of: transfer)).map(path.shortened)
            },
            advice: interfaceAdvice,
            question: { InterfaceWords.Question(summary: summary(of: $0), details: details(of: $0)) },
            brief: { brief(of: $0).map(path.shortened) }, why: { why($0, $1).map(path.shortened) },
            held: held)
    }

    /// The same as on the command line, but no shell has read this, and keys take the place of options.
    static func interfaceText(_ error: TransferError) -> String {
        // The advice names the key.
        if isOfName(error) { return cause(of: error) }
        guard error.fields.local?.localKind == .filterNoValue else { return text(error) }
        return "\(error.message); it follows, as in state:failed or size>1G"
    }

    private static func interfaceAdvice(for transfer: Transfer, keys: InterfaceWords.Keys) -> String? {
        switch transfer.state {
        case .waiting where transfer.canBeLifted:
            "press \(keys.lift) to continue anyway, or connect to another network: it then resumes automatically"
        case .waiting: remedy(for: transfer).map { "\($0): it then resumes automatically" } ?? nothingToDo
        case .paused: remedy(for: transfer)
        case .failed where transfer.failedOnExistingFile: replacing(keys)
        case .failed: help(for: transfer, keys).first.map { String($0.dropLast()) }
        case .retrying where transfer.error?.fields.refusal?.portal != nil:
            "sign in there: it then retries automatically; \(keys.retry) retries now"
        case .retrying:
            "nothing to do: it retries automatically, also when the network changes; \(keys.retry) retries now"
        default: nil
        }
    }
}
