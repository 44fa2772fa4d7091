// SPDX-License-Identifier: MIT

import TransferModel
@testable import Listings

extension FuzzTarget {
    /// Folders as servers list them.
    static let listings = [FuzzTarget("listings", folder)]

    /// The first byte chooses the format.
    private static func folder(_ bytes: Bytes) throws {
        let url = try TransferURL("http://host.example/a%20b/")
        let text = Array(bytes.dropFirst())
        let found: ListingPage? =
            switch bytes.first {
            case UInt8(ascii: "j"): JSONListing.read(text, at: url)
            case UInt8(ascii: "d"): MultistatusListing.read(text, at: url)
            case UInt8(ascii: "s"): StoreListing.read(text, prefix: "a/")
            default: IndexPage.read(text, at: url)
            }
        guard let page = found else { return }
        try promise(page.refused.count <= page.refusedCount, "more refused names than are counted")
        try promise(page.entries == ListingPage.sorted(page.entries), "names out of order")
        for entry in page.entries {
            let parts = entry.name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            try promise(bytes.first == UInt8(ascii: "s") || parts.count == 1, "a path: \(entry.name)")
            for part in parts.map({ String(Substring($0)) }) {
                try promise(!["", ".", ".."].contains(part), "no name: \(entry.name.debugDescription)")
                try promise(!part.unicodeScalars.contains { $0.value < 0x20 }, "a control character")
            }
            try promise(entry.size ?? 0 >= 0, "a size of \(entry.size ?? 0)")
            try promise(entry.kind != .folder || entry.size == nil, "a folder with a size")
            let years: ClosedRange<Int64> = -62_167_305_600...253_402_387_199
            try promise(years.contains(entry.modified ?? 0), "a date of no year")
        }
    }
}
