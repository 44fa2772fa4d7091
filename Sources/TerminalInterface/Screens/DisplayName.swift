// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The name of a transfer in a list.
enum DisplayName {
    /// ``Transfer/displayName``, unsanitized; of a folder that is uploaded with the path.
    static func of(_ transfer: Transfer) -> String { transfer.pathWithinUpload ?? transfer.displayName }

    /// For this terminal; with the ID where characters are lost that tell names apart, unless the row has it anyway.
    static func shown(_ transfer: Transfer, hasID: Bool, _ capabilities: Capabilities) -> String {
        let shown = capabilities.shown(of(transfer))
        guard capabilities.text == .ascii, !hasID, Transliteration.losesCharacters(TextSanitizer.clean(of(transfer)))
        else { return shown }
        return "\(transfer.id) \(shown)"
    }

    static func host(of transfer: Transfer) -> String? { (try? TransferURL(transfer.url))?.host }

    /// Host, and the port if it is not the usual one.
    static func server(of transfer: Transfer) -> String? { (try? TransferURL(transfer.url))?.authority }

    /// `path` with the home folder as `~`.
    static func path(_ path: String, home: String?) -> String { ShownPath.text(path, home: home) }
}
