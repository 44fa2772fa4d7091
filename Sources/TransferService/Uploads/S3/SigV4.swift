// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import TransferModel

/// AWS Signature Version 4 of a request's header fields. Pure.
///
/// libcurl's own (`CURLOPT_AWS_SIGV4`) neither sorts nor encodes queries before 8.3, and cannot sign bytes that it has
/// not seen.
struct SigV4: Sendable {
    var accessKey: String
    var secretKey: String
    var region: String
    var service = "s3"

    /// A request as it is signed.
    struct Request {
        var method: String
        /// Path and query as they are sent.
        var target: String
        /// Those that are signed; `host` must be one of them. Names in any case.
        var fields: [(name: String, value: String)]
        /// SHA-256 of the content in hexadecimal digits.
        var payload: String
    }

    /// The value of the field `Authorization`.
    /// - Parameter time: as in ``date(_:)``: what the field `x-amz-date` states.
    func authorization(_ request: Request, at time: Int64) -> String {
        let (date, scope) = (Self.date(time), "\(Self.date(time).prefix(8))/\(region)/\(service)/aws4_request")
        let text = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(Self.digest(Self.canonical(request)))"
        let signature = Hex.encode(Self.code(text, key(of: String(date.prefix(8)))))
        return "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(Self.names(request)), "
            + "Signature=\(signature)"
    }

    /// `20130524T000000Z`, in UTC.
    /// - Parameter time: seconds since 1970.
    static func date(_ time: Int64) -> String {
        CompactTime.stamp(time).replacing(":", with: "").replacing(" ", with: "T") + "Z"
    }

    static func digest(_ text: String) -> String { Hex.encode(SHA256.hash(data: Data(text.utf8))) }

    /// The canonical request.
    static func canonical(_ request: Request) -> String {
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = sorted(request).map { "\($0.name):\($0.value)\n" }.joined()
        return [
            request.method, path(String(parts[0])), query(parts.count > 1 ? String(parts[1]) : ""), fields,
            names(request), request.payload,
        ].joined(separator: "\n")
    }

    /// S3 neither normalizes paths nor encodes them twice.
    private static func path(_ path: String) -> String {
        PercentCoding.decode(path).map { PercentCoding.encodePath($0) } ?? path
    }

    private static func query(_ query: String) -> String {
        query.split(separator: "&").map { pair in
            let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentCoding.decode($0).map { PercentCoding.encode($0) } ?? String($0) }
            return (name: words[0], value: words.count > 1 ? words[1] : "")
        }
        // By the bytes of the encoded texts, which are ASCII.
        .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// In the order of their names; values of the same name in one, without superfluous spaces.
    private static func sorted(_ request: Request) -> [(name: String, value: String)] {
        var values: [String: String] = [:]
        for field in request.fields {
            let value = field.value.split(separator: " ").joined(separator: " ")
            let name = field.name.lowercased()
            values[name] = values[name].map { "\($0),\(value)" } ?? value
        }
        return values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    private static func names(_ request: Request) -> String {
        sorted(request).map(\.name).joined(separator: ";")
    }

    private func key(of day: String) -> SymmetricKey {
        let first = SymmetricKey(data: Data("AWS4\(secretKey)".utf8))
        return [day, region, service, "aws4_request"].reduce(first) { SymmetricKey(data: Self.code($1, $0)) }
    }

    private static func code(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    }
}
