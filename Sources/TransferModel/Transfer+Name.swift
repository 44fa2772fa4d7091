// SPDX-License-Identifier: MIT

extension Transfer {
    /// The file name without folder, raw; for a stream or a folder the most telling name.
    package var displayName: String {
        if file == "-" { return kind == .upload ? "(standard input)" : "(standard output)" }
        if let name = file.lastPathPart, !file.endsWithSlash { return String(name) }
        return (try? TransferURL(url))?.lastPathSegment ?? TransferURL.displayed(url)
    }
}
