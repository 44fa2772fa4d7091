// SPDX-License-Identifier: MIT

import Glibc
import TransferControl
import TransferModel

/// Reads folders for ``Picker``. Blocks as long as the file system does.
enum FolderReader {
    /// More are not shown: the filter is of no use there.
    static let mostEntries = 50_000

    static func read(_ folder: String) -> Picker.Listing {
        var listing = Picker.Listing()
        guard let stream = opendir(folder) else {
            listing.error = TransferError.phrase(errno: errno)
            return listing
        }
        defer { closedir(stream) }
        while let item = readdir(stream) {
            let name = withUnsafePointer(to: &item.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(validatingCString: $0) }
            }
            guard let name, listing.entries.count < mostEntries else {
                listing.omitted += 1
                continue
            }
            if name != ".", name != ".." { listing.entries.append(entry(name, dirfd(stream))) }
        }
        let keyed = listing.entries.map { (entry: $0, key: NaturalOrder.key($0.name)) }
        listing.entries = keyed.sorted { left, right in
            if left.entry.isFolder != right.entry.isFolder { return left.entry.isFolder }
            return left.key == right.key ? left.entry.name < right.entry.name : left.key < right.key
        }.map(\.entry)
        return listing
    }

    /// The entry; of a link, that of its target.
    private static func entry(_ name: String, _ folder: Int32) -> Picker.Entry {
        var status = stat()
        guard fstatat(folder, name, &status, 0) == 0 else { return Picker.Entry(name: name, isFolder: false) }
        let kind = status.st_mode & S_IFMT
        return Picker.Entry(
            name: name, isFolder: kind == S_IFDIR, size: kind == S_IFREG ? Int64(status.st_size) : nil,
            modified: Double(status.st_mtim.tv_sec))
    }
}
