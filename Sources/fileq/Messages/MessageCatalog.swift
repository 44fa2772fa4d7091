// SPDX-License-Identifier: MIT

import TransferModel

/// The texts of failures, notes, waits and questions, each by the code and variant of a value. The layers below provide
/// values; of an error, a restart and a wait a plain sentence too, to which the catalogue adds the next step.
///
/// It is the only place that makes sentences of notes and questions, and that names a next step, command or option.
enum MessageCatalog {
    /// One line without full stop: the cause and the next step.
    static func text(_ error: TransferError) -> String {
        var text = error.message
        if let file = error.fields.partialFile { text += "; " + leftBehind(file, error.fields.partialBytes ?? 0) }
        return advice(for: error).map { "\(text); \($0)" } ?? text
    }

    /// For any error: errors of other libraries use their own text.
    static func text(of error: any Error) -> String {
        (error as? TransferError).map(text) ?? "\(error)"
    }

    /// The error with the full text as its message, for output without the catalogue.
    static func worded(_ error: TransferError) -> TransferError {
        var error = error
        error.message = text(error)
        return error
    }

    /// The next step, as the end of a sentence; `nil` if the error is complete.
    static func advice(for error: TransferError) -> String? {
        switch error.code.cause {
        case .insecureRedirect: "--allow-downgrade allows it"
        case .folderNotResponding: "check that its network share or device is reachable"
        case .secretMissing: "remove the transfer and add it again"
        case .repeatedCrash:
            "'fileq retry\(error.fields.transfer.map { " \($0)" } ?? "")' retries it, 'fileq logs' may show more"
        default: error.fields.variant.flatMap(advice)
        }
    }

    private static func advice(for variant: TransferError.Variant) -> String? {
        switch variant {
        case .existingDiffers: "use --overwrite to replace it"
        case .serviceAbsent: "'fileq service run' or any command that needs it starts it"
        case .nothingListens: "'fileq service run' starts one"
        case .serviceRunning: "'fileq service stop' stops it"
        case .socketTaken: "'fileq service status' shows more"
        case .socketGone: "'fileq service stop' stops it; the next command starts it again"
        case .serviceIncompatible: "'fileq service stop' of its own version does so"
        case .serviceCrashing: "'fileq service run' starts it at once"
        case .serviceFailing: "'fileq logs' may show why"
        case .serviceSilent: "'fileq service run' shows it as well"
        case .serviceBusy: "try again"
        case .foreignFolder: "set FILEQ_HOME to a folder of your own"
        case .writableByOthers: "'chmod 700' keeps it to yourself"
        case .unsafeFileSystem: "set FILEQ_HOME to a folder on another"
        case .longSocketPath: "set FILEQ_HOME or XDG_RUNTIME_DIR to a folder with a shorter path"
        case .serviceStopped: "'fileq' starts it again"
        case .streamedDownload: "or use 'fileq get'"
        case .streamedUpload: "or use 'fileq put'"
        default: nil
        }
    }
}
