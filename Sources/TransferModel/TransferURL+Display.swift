// SPDX-License-Identifier: MIT

/// Addresses as they are shown. What is sent, compared and stored is ``string``.
extension TransferURL {
    /// The address with `…` for the values of query items that carry signatures, tokens and keys. For programs and
    /// people alike.
    public var displayString: String { Self.displayed(string) }

    /// The same for a URL in text; text that is not a URL has its query treated alike.
    package static func displayed(_ text: String) -> String {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return text }
        let start = text.utf8.index(after: mark)
        let end = text.utf8[start...].firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        var shown = String(text[..<start])
        var rest = text[start..<end]
        while true {
            let separator = rest.utf8.firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }
            shown += displayedItem(rest[..<(separator ?? rest.endIndex)])
            guard let separator else { break }
            let next = rest.utf8.index(after: separator)
            shown += rest[separator..<next]
            rest = rest[next...]
        }
        return shown + text[end...]
    }

    /// ``displayed(_:)`` for a person: behind an address whose host mixes scripts stands what it is in ASCII, in
    /// parentheses.
    package static func displayedForPeople(_ text: String) -> String {
        // Bytes outside ASCII stand in no other part of an address.
        guard text.utf8.contains(where: { $0 >= 0x80 }), let host = try? TransferURL(text).host,
            let ascii = HostName.warning(host)
        else {
            return displayed(text)
        }
        return "\(displayed(text)) (\(ascii))"
    }

    /// ``displayedForPeople(_:)`` with letters outside ASCII instead of their percent-encoding, which the address keeps
    /// wherever the bytes are no letters or marks of UTF-8.
    package static func readable(_ text: String) -> String {
        var shown = ""
        var rest = displayedForPeople(text)[...]
        while let percent = rest.firstIndex(of: "%") {
            shown += rest[..<percent]
            rest = rest[percent...]
            let run = encodedRun(rest)
            let bytes = stride(from: 1, to: run.utf8.count, by: 3).compactMap { offset in
                UInt8(run.dropFirst(offset).prefix(2), radix: 16)
            }
            if !bytes.isEmpty, let word = String(validating: bytes, as: UTF8.self),
                word.unicodeScalars.allSatisfy(\.isReadable)
            {
                shown += word
            } else {
                shown += run.isEmpty ? "%" : run
            }
            rest = rest.dropFirst(max(1, run.count))
        }
        return shown + rest
    }

    /// Escapes of bytes outside ASCII, one after the other: `%E5%A4%8F`.
    private static func encodedRun(_ text: Substring) -> Substring {
        var end = text.startIndex
        while text[end...].first == "%" {
            let digits = text[end...].dropFirst().prefix(2)
            guard digits.utf8.count == 2, let byte = UInt8(digits, radix: 16), byte >= 0x80 else { break }
            end = digits.endIndex
        }
        return text[..<end]
    }

    private static func displayedItem(_ item: Substring) -> Substring {
        guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else { return item }
        let value = item.utf8.index(after: equals)
        guard value < item.endIndex else { return item }
        let name = (PercentCoding.decode(item[..<equals]) ?? String(item[..<equals])).lowercased()
        return secretNames.contains(name) ? item[..<value] + "…" : item
    }

    /// In lower case. Signed addresses of S3 and its kin, Google, Azure, CloudFront, Alibaba, Tencent, Huawei, Akamai;
    /// then what services call their tokens and keys.
    private static let secretNames: Set<String> = [
        "x-amz-signature", "x-amz-credential", "x-amz-security-token", "awsaccesskeyid", "x-goog-signature",
        "x-goog-credential",
        "googleaccessid", "signature", "sig", "policy", "key-pair-id", "x-oss-signature", "x-oss-credential",
        "x-oss-security-token",
        "ossaccesskeyid", "security-token", "q-signature", "q-ak", "x-cos-security-token", "x-obs-signature",
        "x-obs-security-token",
        "hdnea", "hdnts", "hdntl", "__gda__", "__token__", "hmac",
        "token", "tok", "access_token", "access-token", "accesstoken", "id_token", "refresh_token", "auth_token",
        "auth-token",
        "authtoken",
        "oauth_token", "oauth_signature", "session_token", "sessiontoken", "security_token", "sas_token",
        "private_token", "private-token",
        "job_token", "bearer_token", "download_token", "share_token", "csrf_token", "jwt",
        "key", "api_key", "api-key", "apikey", "x-api-key", "access_key", "access-key", "accesskey", "secret_key",
        "secretkey",
        "private_key", "subscription-key", "auth_key", "authkey",
        "auth", "authorization", "credential", "credentials", "password", "passwd", "passphrase", "pass", "pwd",
        "secret", "client_secret",
        "code", "sid", "sessionid", "session_id", "session", "jsessionid", "phpsessid", "ticket", "otp",
    ]
}

extension Unicode.Scalar {
    /// Whether people see it, and see it for what it is.
    fileprivate var isReadable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .surrogate,
            .unassigned:
            false
        default: true
        }
    }
}
