// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// The texts of failures, notes, waits and questions, each by the code and variant of a value. The layers below provide
/// values; of an error, a restart and a wait a plain sentence too, to which the catalogue adds the next step.
///
/// It is the only place that makes sentences of notes and questions, and that names a next step, command or option;
/// except for what is wrong with a command line, whose sentence stands where it is checked.
enum MessageCatalog {
    /// One line without full stop: the cause and the next step.
    static func text(_ error: TransferError) -> String { sentence(error, advice: advice(for: error)) }

    static func sentence(_ error: TransferError, advice: String?) -> String {
        var text = cause(of: error)
        if let file = error.fields.partialFile { text += "; " + leftBehind(file, error.fields.partialBytes ?? 0) }
        return advice.map { "\(text); \($0)" } ?? text
    }

    /// The cause alone: by the value in the error, or the sentence that came with it.
    static func cause(of error: TransferError) -> String {
        // The sentence of the library, and what it cannot know of: the shell.
        if error.fields.local?.localKind == .filterNoValue {
            return "\(error.message); quote it, for '<' and '>' mean something to the shell"
        }
        let fields = error.fields
        if let problem = fields.problem {
            // The sentence of another version has the amendments.
            return problem.message(of: error).map { $0 + (fields.refusal?.amendments ?? "") } ?? error.message
        }
        let value =
            fields.parameter?.message ?? fields.file?.message(path: fields.path, errno: error.systemErrno)
            ?? fields.mismatch?.message(of: fields.path ?? fields.host)
        if let value { return value }
        if let refusal = fields.refusal, let status = fields.status {
            return (fields.host.map { "\($0): " } ?? "") + "returned \(status)\(refusal.said)\(refusal.amendments)"
        }
        return fields.variant.flatMap { cause($0, fields) } ?? error.message
    }

    /// For any error: errors of other libraries use their own text.
    static func text(of error: any Error) -> String {
        (error as? TransferError).map(text) ?? "\(error)"
    }

    /// The failure of a transfer, for output that names its file: without the path with which messages about that
    /// file begin. `nil` without an error.
    static func failure(of transfer: Transfer) -> String? { failure(of: transfer) { text($0) } }

    /// - Parameter words: those of an error.
    static func failure(of transfer: Transfer, _ words: (TransferError) -> String) -> String? {
        guard let error = transfer.error else { return nil }
        let text = words(error)
        let place = transfer.file + ": "
        return text.hasPrefix(place) ? String(text.dropFirst(place.count)) : text
    }

    /// The next step, as the end of a sentence; `nil` if the error is complete.
    static func advice(for error: TransferError) -> String? {
        switch error.code.cause {
        case .insecureRedirect: "--allow-downgrade allows it"
        case .destinationExists: "use -o for another name, --overwrite to replace it"
        case .diskFull: error.systemErrno == EDQUOT ? "free some of the quota" : "free some space"
        case .folderNotResponding: "check that its network share or device is reachable"
        case .timedOut where error.fields.refusal?.hasWholeBody == true && error.fields.timer != .resource:
            "--response-timeout waits longer"
        case .secretMissing: "remove the transfer and add it again"
        case .repeatedCrash:
            "'fileq retry\(error.fields.transfer.map { " \($0)" } ?? "")' retries it, 'fileq logs' may show more"
        default:
            error.fields.local.flatMap(advice(about:))
                ?? error.fields.variant.flatMap { advice(for: $0, path: error.fields.path) }
                ?? error.systemErrno.flatMap(advice(aboutLimit:))
        }
    }

    /// A limit that the shell sets (setrlimit(2)).
    private static func advice(aboutLimit errno: Int32) -> String? {
        switch errno {
        case EMFILE: "raise the limit with 'ulimit -n'"
        case EFBIG: "save it on another file system, or raise the limit with 'ulimit -f'"
        default: nil
        }
    }
}
