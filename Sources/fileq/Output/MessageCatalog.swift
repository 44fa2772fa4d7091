// SPDX-License-Identifier: MIT

import TransferModel

/// What people read of failures and waits: the one place that speaks of the program's commands and options. The layers
/// below give a code, fields and a plain sentence; what to do about it with this program is added here.
enum MessageCatalog {
    /// One line without full stop: what went wrong, and what helps.
    static func text(_ error: TransferError) -> String {
        advice(for: error).map { "\(error.message); \($0)" } ?? error.message
    }

    /// Of any error: those of other libraries say what they say.
    static func text(of error: any Error) -> String {
        (error as? TransferError).map(text) ?? "\(error)"
    }

    /// The error with its text as its message, for what has no catalogue.
    static func worded(_ error: TransferError) -> TransferError {
        var error = error
        error.message = text(error)
        return error
    }

    /// What helps: the end of a sentence; `nil` where the error itself says it all.
    static func advice(for error: TransferError) -> String? {
        switch error.code.cause {
        case .insecureRedirect: "--allow-downgrade permits it"
        case .secretMissing: "remove the transfer and add it again"
        case .repeatedCrash:
            "'fileq retry\(error.fields.transfer.map { " \($0)" } ?? "")' attempts it again, 'fileq logs' may say more"
        default: error.fields.variant.flatMap(advice)
        }
    }

    private static func advice(for variant: TransferError.Variant) -> String? {
        switch variant {
        case .existingDiffers: "use --overwrite to replace it"
        case .serviceAbsent: "any command that needs one starts it, and so does 'fileq service run'"
        case .nothingListens: "'fileq service run' starts one"
        case .serviceRunning: "'fileq service stop' ends it"
        case .socketTaken: "'fileq service status' tells more"
        case .socketGone: "'fileq service stop' ends it, and the next command starts it again"
        case .serviceIncompatible: "'fileq service stop' of its own version does so"
        case .serviceCrashing: "'fileq service run' starts it at once"
        case .serviceFailing: "'fileq logs' may say why"
        case .serviceSilent: "'fileq service run' shows it as well"
        case .serviceStopped: "'fileq' starts it again"
        case .streamedDownload: "or use 'fileq get'"
        case .streamedUpload: "or use 'fileq put'"
        default: nil
        }
    }

    /// What ends a wait or a pause; `nil` where there is nothing to say.
    static func advice(for transfer: TransferSnapshot) -> String? {
        transfer.advice ?? (transfer.state == .waiting ? "nothing to do: it goes on by itself" : nil)
    }
}
