// SPDX-License-Identifier: MIT

import TransferModel

/// Failures of transfers that the background service keeps: what an option of the command that added them would change,
/// a command or a key changes now.
extension MessageCatalog {
    /// ``text(_:)`` with the commands that help.
    static func queuedText(_ error: TransferError, of id: TransferID) -> String {
        sentence(error, advice: renaming(error, id) ?? advice(for: error))
    }

    /// ``failure(of:)`` with the commands that help.
    static func queuedFailure(of transfer: Transfer) -> String? {
        failure(of: transfer) { queuedText($0, of: transfer.id) }
    }

    /// Whether another file or transfer has the name.
    static func isOfName(_ error: TransferError) -> Bool {
        error.code.cause == .destinationExists || [.nameInUse, .existingDiffers].contains(error.fields.variant)
    }

    private static func renaming(_ error: TransferError, _ id: TransferID) -> String? {
        guard isOfName(error) else { return nil }
        let retry = "then 'fileq retry \(id)'"
        guard error.fields.variant != .nameInUse else {
            return "'fileq relocate \(id) --output NAME' gives it another name, \(retry) starts it"
        }
        return "'fileq relocate \(id)' with --output NAME gives it another name, with --if-exists replace replaces "
            + "the file; \(retry) starts it"
    }
}
