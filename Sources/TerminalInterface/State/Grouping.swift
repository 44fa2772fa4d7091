// SPDX-License-Identifier: MIT

import TransferModel

/// By what a list is grouped.
package enum Grouping: String, Sendable, CaseIterable {
    /// The host of the address, with its port.
    case server
    /// The folder of the file.
    case folder
    /// The folder of the address, on its server.
    case place

    /// The one after `grouping`; after the last one there are no groups.
    static func next(after grouping: Grouping?) -> Grouping? {
        switch grouping {
        case nil: .server
        case .server: .folder
        case .folder: .place
        case .place: nil
        }
    }

    /// The name of the group that a transfer belongs to.
    /// - Parameter home: shown as `~`.
    func key(of transfer: Transfer, home: String?) -> String {
        switch self {
        case .server: DisplayName.server(of: transfer) ?? "?"
        case .folder: Self.folder(of: transfer.file, home)
        case .place: Self.place(of: transfer.url)
        }
    }

    private static func folder(of file: String, _ home: String?) -> String {
        guard let folder = file.throughLastSlash else { return file == "-" ? "(a stream)" : "./" }
        return DisplayName.path(String(folder), home: home)
    }

    private static func place(of text: String) -> String {
        guard let url = try? TransferURL(text) else { return "?" }
        let path = url.path
        let folder = path.throughLastSlash ?? "/"
        return url.authority + (PercentCoding.decode(folder) ?? String(folder))
    }
}
