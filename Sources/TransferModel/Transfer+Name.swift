// SPDX-License-Identifier: MIT

extension Transfer {
    /// The file name without folder, raw; for a stream or a folder the most telling name.
    package var displayName: String {
        if file == "-" { return kind == .upload ? "(standard input)" : "(standard output)" }
        if let name = file.lastPathPart, !file.endsWithSlash { return String(name) }
        return (try? TransferURL(url))?.lastPathSegment ?? TransferURL.displayed(url)
    }

    /// The path of a file in a folder that is uploaded, as far as the server has it, too, such as `photos/2024/a.jpg`;
    /// `nil` of others, and where only the name is the same.
    package var pathWithinUpload: String? {
        guard kind == .upload, let path = (try? TransferURL(url))?.path else { return nil }
        let both = zip(file.pathParts.reversed(), path.pathParts.reversed())
        let common = both.prefix { $0 == $1 || PercentCoding.decode($1) == String($0) }
        return common.count > 1 ? common.map(\.0).reversed().joined(separator: "/") : nil
    }
}
