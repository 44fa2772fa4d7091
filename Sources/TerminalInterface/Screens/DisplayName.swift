// SPDX-License-Identifier: MIT

import TransferModel

/// The name of a transfer in a list.
enum DisplayName {
    /// The file name without folder, unsanitized; for a stream or a folder the most telling name.
    static func of(_ transfer: Transfer) -> String {
        if transfer.file == "-" { return transfer.kind == .upload ? "(standard input)" : "(standard output)" }
        if let name = transfer.file.split(separator: "/").last, !transfer.file.hasSuffix("/") { return String(name) }
        return (try? TransferURL(transfer.url))?.lastPathSegment ?? TransferURL.displayed(transfer.url)
    }

    static func host(of transfer: Transfer) -> String? { (try? TransferURL(transfer.url))?.host }

    /// `path` with the home folder as `~`.
    static func path(_ path: String, home: String?) -> String {
        guard let home, !home.isEmpty, home != "/", path.hasPrefix(home) else { return path }
        let rest = path.dropFirst(home.count)
        return rest.isEmpty || rest.first == "/" ? "~" + rest : path
    }
}
