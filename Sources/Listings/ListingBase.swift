// SPDX-License-Identifier: MIT

import TransferModel

/// The folder that a listing describes, and where references of the listing lead.
struct ListingBase {
    enum Place: Equatable {
        case own
        /// A folder above.
        case above
        /// A percent-encoded name in the folder.
        case below(ArraySlice<UInt8>, isFolder: Bool)
        case elsewhere
    }

    /// `http://host`, with the port if it is not the usual one.
    private let origin: [UInt8]
    private let scheme: [UInt8]
    /// From the first to the last slash.
    private let path: [UInt8]
    private let parts: [ArraySlice<UInt8>]
    /// Whether authorities are skipped: members of a multistatus are in its folder, whatever a proxy in between says.
    private let ignoresOrigin: Bool

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// - Parameter url: of the response, after redirects.
    init(_ url: TransferURL, ignoresOrigin: Bool = false) {
        origin = Array(url.string.utf8.dropLast(url.target.utf8.count))
        scheme = Array(url.scheme.utf8)
        let folder = Array((url.path.throughLastSlash ?? "/").utf8)
        (path, parts) = (folder, Self.split(folder[...]).parts)
        self.ignoresOrigin = ignoresOrigin
    }

    func place(of reference: ArraySlice<UInt8>) -> Place {
        var rest = reference.drop { $0 <= 0x20 }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        rest = rest.prefix { $0 != UInt8(ascii: "#") }
        // A query asks for something of a name, such as another order or an archive.
        guard !rest.isEmpty, !rest.contains(UInt8(ascii: "?")) else { return .elsewhere }
        guard let local = withoutOrigin(rest) else { return .elsewhere }
        rest = local.isEmpty ? [Self.slash] : local
        if let name = Self.plainName(rest) { return name }
        let (steps, isFolder) = Self.split(rest.first == Self.slash ? rest : (path + rest)[...])
        let common = zip(steps, parts).prefix { Self.areEqual($0.0, $0.1) }.count
        switch steps.count - parts.count {
        case 0 where common == parts.count: return .own
        case 1 where common == parts.count: return .below(steps[parts.count], isFolder: isFolder)
        case ..<0 where common == steps.count: return .above
        default: return .elsewhere
        }
    }

    /// The text behind scheme and authority; `nil` where these are another server's.
    private func withoutOrigin(_ reference: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let colon = reference.firstIndex { !Self.isOfScheme($0) } ?? reference.endIndex
        let hasScheme =
            colon > reference.startIndex && colon < reference.endIndex
            && reference[colon] == UInt8(ascii: ":") && (reference[reference.startIndex] | 0x20) >= UInt8(ascii: "a")
        guard hasScheme || reference.starts(with: [Self.slash, Self.slash]) else { return reference }
        let start = hasScheme ? reference.index(after: colon) : reference.startIndex
        let authority = reference[start...]
        guard authority.starts(with: [Self.slash, Self.slash]) else { return nil }
        let end = authority.dropFirst(2).firstIndex(of: Self.slash) ?? authority.endIndex
        if ignoresOrigin { return authority[end...] }
        let named = (hasScheme ? Array(reference[..<start]) : scheme + [UInt8(ascii: ":")]) + authority[..<end]
        // Host names have no case.
        let isOwn = named.count == origin.count && zip(named, origin).allSatisfy { Self.lower($0) == Self.lower($1) }
        return isOwn ? authority[end...] : nil
    }

    /// Most references are a name in the folder, as it is.
    private static func plainName(_ reference: ArraySlice<UInt8>) -> Place? {
        var name = reference
        while name.count > 2, name.starts(with: [dot, slash]) { name = name.dropFirst(2) }
        let isFolder = name.last == slash
        if isFolder { name.removeLast() }
        guard let first = name.first, first != dot || name.contains(where: { $0 != dot }) || name.count > 2,
            !name.contains(slash)
        else { return nil }
        return .below(name, isFolder: isFolder)
    }

    /// The segments of a path (RFC 3986, section 5.2.4).
    private static func split(_ path: ArraySlice<UInt8>) -> (parts: [ArraySlice<UInt8>], isFolder: Bool) {
        var kept: [ArraySlice<UInt8>] = []
        var isFolder = false
        for part in path.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            isFolder = part.isEmpty || part.elementsEqual([dot]) || part.elementsEqual([dot, dot])
            if part.elementsEqual([dot, dot]) {
                _ = kept.popLast()
            } else if !part.elementsEqual([dot]) {
                kept.append(part)
            }
        }
        if kept.last?.isEmpty == true { kept.removeLast() }
        return (kept, isFolder)
    }

    /// Servers differ in what they encode.
    private static func areEqual(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        if one.elementsEqual(other) { return true }
        return decoded(one).map { $0 == decoded(other) } ?? false
    }

    private static func decoded(_ segment: ArraySlice<UInt8>) -> [UInt8]? {
        PercentCoding.decodeBytes(String(decoding: segment, as: UTF8.self))
    }

    /// The name that a segment stands for, decoded once.
    static func name(of segment: ArraySlice<UInt8>) -> Result<String, Refusal> {
        guard let whole = String(validating: segment, as: UTF8.self) else {
            return .failure(Refusal(name: RefusedName(String(decoding: segment, as: UTF8.self), .notUTF8)))
        }
        guard segment.contains(UInt8(ascii: "%")) else { return .success(whole) }
        guard let bytes = PercentCoding.decodeBytes(whole) else {
            return .failure(Refusal(name: RefusedName(whole, .encoding)))
        }
        guard let name = String(validating: bytes, as: UTF8.self) else {
            return .failure(Refusal(name: RefusedName(whole, .notUTF8)))
        }
        return .success(name)
    }

    struct Refusal: Error {
        var name: RefusedName
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension ListingBuilder {
    /// Adds a name that is percent-encoded.
    mutating func add(encoded segment: ArraySlice<UInt8>, _ complete: (String) -> ListingEntry) {
        switch ListingBase.name(of: segment) {
        case .success(let name): add(complete(name))
        case .failure(let refusal): refuse(refusal.name.text, refusal.name.reason)
        }
    }
}
