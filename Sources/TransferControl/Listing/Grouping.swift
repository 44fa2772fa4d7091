// SPDX-License-Identifier: MIT

package import TransferModel

/// The key by which a list is grouped.
package enum Grouping: String, Sendable, CaseIterable, Codable {
    /// The host of the address, with its port.
    case server
    /// The folder of the file.
    case folder
    /// The folder of the address, on its server.
    case place
    /// The batch; transfers without one have no heading.
    case batch

    /// The one after `grouping`; after the last one there are no groups.
    package static func next(after grouping: Grouping?) -> Grouping? {
        switch grouping {
        case nil: .server
        case .server: .folder
        case .folder: .place
        case .place: .batch
        case .batch: nil
        }
    }

    /// The name of the group that a transfer belongs to.
    /// - Parameter home: shown as `~`.
    package func key(of transfer: Transfer, home: String?) -> String {
        switch self {
        case .server: (try? TransferURL(transfer.url))?.authority ?? "?"
        case .folder: Self.folder(of: transfer.file, home)
        case .place: Self.place(of: transfer.url)
        case .batch: transfer.batch.map(Self.key) ?? ""
        }
    }

    // MARK: Batches

    private static let batchMark: Unicode.Scalar = "\u{10fffe}"

    private static func key(of batch: TransferBatch) -> String { "\(batchMark)\(batch.id) \(batch.name)" }

    package static func isBatch(_ key: String) -> Bool { key.unicodeScalars.first == batchMark }

    /// The name of a group for people.
    package static func title(of key: String) -> String {
        isBatch(key) ? key.firstIndex(of: " ").map { String(key[key.index(after: $0)...]) } ?? key : key
    }

    private static func folder(of file: String, _ home: String?) -> String {
        guard let folder = file.throughLastSlash else { return file == "-" ? "(a stream)" : "./" }
        return ShownPath.text(String(folder), home: home)
    }

    private static func place(of text: String) -> String {
        guard let url = try? TransferURL(text) else { return "?" }
        let path = url.path
        let folder = path.throughLastSlash ?? "/"
        return url.authority + (PercentCoding.decode(folder) ?? String(folder))
    }
}

package enum ShownPath {
    /// `path` with the home folder as `~`.
    package static func text(_ path: String, home: String?) -> String {
        guard let home, !home.isEmpty, home != "/", path.hasPrefix(home) else { return path }
        let rest = path.dropFirst(home.count)
        return rest.isEmpty || rest.beginsWithSlash ? "~" + rest : path
    }
}
