// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes

/// A stored response as a file: a line with the hash of the rest, a line of JSON, the body.
enum CacheFile {
    private static let version = 1
    private static let sumLength = 16
    /// The line of JSON.
    static let maximumHeadBytes = 262_144

    private struct Head: Codable {
        var version: Int
        var key: String
        var response: HTTPResponse
        var variant: HTTPFields
        var requestTime: Int64
        var storedTime: Int64
    }

    /// - Returns: `nil` if the head is too large.
    static func encode(_ response: CachedResponse, key: String) -> [UInt8]? {
        let head = Head(
            version: version, key: key, response: response.head, variant: response.variant,
            requestTime: response.requestTime, storedTime: response.storedTime)
        guard let json = try? JSONEncoder().encode(head), json.count <= maximumHeadBytes else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sumLength + 2 + json.count + response.body.count)
        bytes.append(contentsOf: json)
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: response.body)
        let sum = CacheHash.checksum(bytes[...])
        bytes.insert(contentsOf: Array("\(sum)\n".utf8), at: 0)
        return bytes
    }

    /// - Returns: `nil` for anything but a complete, undamaged response for `key`.
    static func decode(_ bytes: [UInt8], key: String) -> CachedResponse? {
        let start = sumLength + 1
        guard bytes.count > start, bytes[sumLength] == UInt8(ascii: "\n"),
            String(decoding: bytes[..<sumLength], as: UTF8.self) == CacheHash.checksum(bytes[start...]),
            let end = bytes[start...].prefix(maximumHeadBytes + 1).firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[start..<end])), head.version == version,
            head.key == key
        else { return nil }
        return CachedResponse(
            head: head.response, body: Array(bytes[(end + 1)...]), requestTime: head.requestTime,
            storedTime: head.storedTime, variant: head.variant, storagePolicy: .allowed)
    }
}
