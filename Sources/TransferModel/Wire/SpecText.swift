// SPDX-License-Identifier: MIT

/// The usual form of a download's spec as JSON, in the form of its `Codable` conformance and without Foundation's
/// coders, which take thirty times as long. Lists of downloads are long, and most of their members have it.
///
/// The usual form has no options, no credential, and nothing else to be hidden: a URL, a file or a folder with a name,
/// and possibly `syncs`. Every other is left to the conformance.
package enum SpecText {
    /// Appends `spec` without its options.
    /// - Parameter version: a member beside the others.
    /// - Returns: false, with nothing appended, for a spec of another form.
    package static func append(_ spec: Spec, version: Int? = nil, to bytes: inout [UInt8]) -> Bool {
        guard spec.url.credential == nil, case .download(let download) = spec.operation, !download.overwrites,
            download.existing == .fails, download.body == nil, download.checksum == nil, !download.hasFacts,
            download.followsMetalink
        else { return false }
        let start = bytes.count
        bytes.append(UInt8(ascii: "{"))
        if let version { append("\"version\":\(version),", &bytes) }
        append("\"url\":", &bytes)
        var isPlain = appendText(spec.url.string, &bytes)
        switch download.destination {
        case .file(let path):
            append(",\"download\":{\"file\":", &bytes)
            isPlain = appendText(path, &bytes) && isPlain
        case .folder(let path, let name):
            append(",\"download\":{\"folder\":", &bytes)
            isPlain = appendText(path, &bytes) && isPlain
            append(",\"name\":", &bytes)
            isPlain = appendText(name, &bytes) && isPlain
        case .stream: isPlain = false
        }
        append(download.syncs ? "}}" : ",\"syncs\":false}}", &bytes)
        if !isPlain { bytes.removeSubrange(start...) }
        return isPlain
    }

    private static func append(_ text: String, _ bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }

    /// - Returns: false for text that JSON escapes.
    private static func appendText(_ text: String, _ bytes: inout [UInt8]) -> Bool {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        let isPlain = bytes[start...].allSatisfy { isPlainByte($0) }
        bytes.append(UInt8(ascii: "\""))
        return isPlain
    }

    fileprivate static func isPlainByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7f
    }

    /// Reads a spec of the usual form, from valid UTF-8 without white space between the tokens.
    /// - Returns: the spec and its version; `nil` for one of another form, or none at all.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> (spec: Spec, version: Int?)? {
        var reader = Reader(bytes: bytes)
        guard let found = reader.spec(), reader.isAtEnd else { return nil }
        return found
    }

    /// Reads an array of them.
    package static func readArray(_ bytes: UnsafeRawBufferPointer) -> [Spec]? {
        var reader = Reader(bytes: bytes)
        var specs: [Spec] = []
        guard reader.takes("[") else { return nil }
        if reader.takes("]") { return reader.isAtEnd ? [] : nil }
        repeat {
            guard let (spec, version) = reader.spec(), version == nil else { return nil }
            specs.append(spec)
        } while reader.takes(",")
        return reader.takes("]") && reader.isAtEnd ? specs : nil
    }
}

private struct Reader {
    let bytes: UnsafeRawBufferPointer
    private var next = 0
    /// Of the spec before: neighbours are in the same folder.
    private var folder = ""

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { next == bytes.count }

    mutating func takes(_ sign: Unicode.Scalar) -> Bool {
        guard next < bytes.count, bytes[next] == UInt8(ascii: sign) else { return false }
        next += 1
        return true
    }

    private mutating func takes(word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - next >= count else { return false }
        for index in 0..<count where bytes[next + index] != word.utf8Start[index] { return false }
        next += count
        return true
    }

    /// - Returns: the bytes of a text without escapes.
    private mutating func rawText() -> UnsafeRawBufferPointer? {
        guard takes("\"") else { return nil }
        let start = next
        while next < bytes.count, SpecText.isPlainByte(bytes[next]) { next += 1 }
        let end = next
        return takes("\"") ? UnsafeRawBufferPointer(rebasing: bytes[start..<end]) : nil
    }

    private mutating func text() -> String? { rawText().map { String(decoding: $0, as: UTF8.self) } }

    private mutating func key() -> UnsafeRawBufferPointer? {
        guard let key = rawText(), takes(":") else { return nil }
        return key
    }

    private mutating func number() -> Int? {
        var (value, digits) = (0, 0)
        while next < bytes.count, bytes[next] &- 0x30 < 10, digits < 9 {
            value = value * 10 + Int(bytes[next] &- 0x30)
            (next, digits) = (next + 1, digits + 1)
        }
        return digits > 0 ? value : nil
    }

    private static func equals(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        bytes.count == name.utf8CodeUnitCount
            && bytes.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    mutating func spec() -> (spec: Spec, version: Int?)? {
        guard takes("{") else { return nil }
        var (url, download, version): (TransferURL?, Download?, Int?)
        repeat {
            guard let key = key() else { return nil }
            if url == nil, Self.equals(key, "url") {
                guard let text = text(), let read = try? TransferURL(text) else { return nil }
                url = read
            } else if download == nil, Self.equals(key, "download") {
                guard let read = self.download() else { return nil }
                download = read
            } else if version == nil, Self.equals(key, "version") {
                guard let number = number() else { return nil }
                version = number
            } else {
                return nil
            }
        } while takes(",")
        guard takes("}"), let url, let download else { return nil }
        return (Spec(url: url, operation: .download(download)), version)
    }

    private mutating func download() -> Download? {
        guard takes("{") else { return nil }
        var (file, folder, name): (String?, String?, String?)
        var syncs: Bool?
        repeat {
            guard let key = key() else { return nil }
            if file == nil, Self.equals(key, "file") {
                guard let text = text() else { return nil }
                file = text
            } else if folder == nil, Self.equals(key, "folder") {
                guard let raw = rawText() else { return nil }
                if !raw.elementsEqual(self.folder.utf8) { self.folder = String(decoding: raw, as: UTF8.self) }
                folder = self.folder
            } else if name == nil, Self.equals(key, "name") {
                guard let text = text() else { return nil }
                name = text
            } else if syncs == nil, Self.equals(key, "syncs") {
                syncs = takes(word: "true")
                if syncs == false, !takes(word: "false") { return nil }
            } else {
                return nil
            }
        } while takes(",")
        guard takes("}") else { return nil }
        switch (file, folder, name) {
        case (let path?, nil, nil): return Download(destination: .file(path: path), syncs: syncs ?? true)
        case (nil, let path?, let name?):
            return Download(destination: .folder(path: path, name: name), syncs: syncs ?? true)
        default: return nil
        }
    }
}
