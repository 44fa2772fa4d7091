// SPDX-License-Identifier: MIT

/// `s3://BUCKET/KEY`, and the URL that it stands for at a server.
package struct S3Location: Sendable, Hashable {
    package var bucket: String
    /// As it is: neither encoded nor normalized. Empty, or with `/` at its end: a folder.
    package var key: String

    private static let prefix = "s3://"

    package static func isOne(_ text: String) -> Bool { text.lowercased().hasPrefix(prefix) }

    /// As other tools for S3, reads the key literally: `%`, `?` and `#` belong to it.
    /// - Throws: code `malformedURL`, saying what is wrong.
    package init(parsing text: String) throws(TransferError) {
        let rest = text.dropFirst(Self.prefix.count)
        guard let slash = rest.firstSlash else {
            throw TransferError(.s3NoObject, TextLine.first(of: text))
        }
        bucket = String(rest[..<slash])
        key = String(rest[rest.utf8.index(after: slash)...])
        guard Self.isBucket(bucket) else {
            throw TransferError(.s3Bucket, TextLine.first(of: bucket))
        }
        guard key.utf8.count <= 1024, !key.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
        else {
            throw TransferError(.s3ObjectName)
        }
    }

    /// With underscores, capitals and other lengths, which some stores allow.
    private static func isBucket(_ name: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        let bytes = Array(name.utf8)
        guard bytes.count <= 255, let first = bytes.first, let last = bytes.last, isPlain(first),
            isPlain(last), !name.contains("..")
        else { return false }
        return bytes.allSatisfy { isPlain($0) || "-._".utf8.contains($0) }
    }

    /// A bucket that can be part of a host name, under a certificate for one label.
    private var isHostLabel: Bool { !bucket.contains { $0 == "." || $0 == "_" || $0.isUppercase } }

    /// The URL of the object: with the bucket in the host name at AWS, else in the path.
    /// - Parameter endpoint: `nil`: AWS.
    /// - Throws: code `malformedURL`.
    package func url(endpoint: TransferURL?, region: String) throws(TransferError) -> TransferURL {
        // Dots are parts of a name here: encoded, no program resolves them.
        let parts = PercentCoding.encodePath(key).utf8
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        let path = parts.map { [".", ".."].contains($0) ? $0.replacing(".", with: "%2E") : $0 }.joined(separator: "/")
        if let endpoint {
            let base = endpoint.path.endsWithSlash ? endpoint.path : endpoint.path + "/"
            let server = endpoint.string.dropLast(endpoint.target.count)
            return try TransferURL("\(server)\(base)\(PercentCoding.encode(bucket))/\(path)")
        }
        guard (3...63).contains(bucket.utf8.count) else {
            throw TransferError(.s3Bucket, TextLine.first(of: bucket))
        }
        // China's regions have a domain of their own.
        let domain = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
        return try TransferURL(
            isHostLabel ? "https://\(bucket).\(domain)/\(path)" : "https://\(domain)/\(bucket)/\(path)")
    }

    /// Whether `text` can be part of a host name and of a signature.
    package static func isRegion(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}
