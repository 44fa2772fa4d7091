// SPDX-License-Identifier: MIT

package import TransferModel

extension QueueFilter {
    /// One condition or its negation.
    package struct Term: Sendable, Hashable {
        package enum Test: Sendable, Hashable {
            /// Any of these IDs, which need not exist.
            case ids([ClosedRange<Int>])
            case states([TransferState])
            case kinds([TransferKind])
            /// The last component of the file's path matches one of these patterns.
            case names([GlobPattern])
            /// The file's whole path.
            case files([GlobPattern])
            case urls([GlobPattern])
            case hosts([GlobPattern])
            /// Bytes of the complete file, bounds included; an unknown size does not match.
            case size(ClosedRange<Int64>)
            /// The code of its error.
            case errors([TransferError.Code])
            /// When it was added, in seconds since 1970, bounds included.
            case added(ClosedRange<Double>)
            /// The end of the transfer is in the range; an unfinished one does not match.
            case ended(ClosedRange<Double>)
        }

        package var test: Test
        /// Whether the condition matches the transfers that the test does not.
        package var isNegated: Bool

        package init(_ test: Test, isNegated: Bool = false) {
            self.test = test
            self.isNegated = isNegated
        }

        package func takes(_ transfer: Transfer) -> Bool { test.takes(transfer) != isNegated }
    }
}

extension QueueFilter.Term.Test {
    func takes(_ transfer: Transfer) -> Bool {
        switch self {
        case .ids(let ranges): ranges.contains { $0.contains(transfer.id.rawValue) }
        case .states(let states): states.contains(transfer.state)
        case .kinds(let kinds): kinds.contains(transfer.kind)
        case .names(let patterns): Self.fits(Self.name(of: transfer), patterns)
        case .files(let patterns): Self.fits(transfer.file, patterns)
        case .urls(let patterns): Self.fits(transfer.url, patterns)
        case .hosts(let patterns): Self.fits(Self.host(of: transfer.url), patterns)
        case .size(let range): transfer.total.map(range.contains) ?? false
        case .errors(let codes):
            transfer.error.map { error in codes.contains { $0.rawValue == error.code.rawValue } } ?? false
        case .added(let range): range.contains(transfer.addedAt)
        case .ended(let range): transfer.endedAt.map(range.contains) ?? false
        }
    }

    private static func fits(_ text: some StringProtocol, _ patterns: [GlobPattern]) -> Bool {
        patterns.contains { $0.fits(text) }
    }

    private static func name(of transfer: Transfer) -> Substring {
        let file = transfer.file
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return file[...] }
        return file[file.utf8.index(after: slash)...]
    }

    /// Without port; snapshots contain no user information. Empty if there is none.
    private static func host(of url: String) -> String {
        guard let start = url.utf8.firstRange(of: "://".utf8)?.upperBound else { return "" }
        let authority = url.utf8[start...].prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        let text = String(authority) ?? ""
        if text.hasPrefix("["), let bracket = text.firstIndex(of: "]") {
            return String(text[text.index(after: text.startIndex)..<bracket])
        }
        return String(text.prefix { $0 != ":" })
    }
}
