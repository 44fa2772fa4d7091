// SPDX-License-Identifier: MIT

import CCurl
import Crypto
import FoundationEssentials
import Glibc
import SwiftASN1
import TransferModel

extension CurlHandle {
    /// The chain of the last handshake, the server's certificate first; empty if libcurl has none.
    var certificates: [CertificateSummary] {
        guard let info = ccurl_get_certificates(pointer)?.pointee, let lists = info.certinfo else { return [] }
        return (0..<min(Int(info.num_of_certs), ServerTrust.maximumChain)).compactMap { index in
            var entry = lists[index]
            while let current = entry {
                if let data = current.pointee.data, strncmp(data, "Cert:", 5) == 0 {
                    return Self.der(fromPEM: String(cString: data + 5)).map(CertificateSummary.init(der:))
                }
                entry = current.pointee.next
            }
            return nil
        }
    }

    private static func der(fromPEM text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined()).map { [UInt8]($0) }
    }
}

extension CertificateSummary {
    /// Parses as much as possible of a certificate (RFC 5280, section 4.1). The digests do not depend on it.
    init(der: [UInt8]) {
        self.init(sha256: [UInt8](SHA256.hash(data: der)))
        guard let root = try? DER.parse(der), let certificate = root.children(limit: 3),
            let body = certificate.first?.children(limit: 16)
        else { return }
        // version [0], serial number, algorithm, issuer, validity, subject, key, then unique identifiers and extensions
        // [3]
        var parts = body[...]
        if parts.first?.identifier == .context(0) { parts = parts.dropFirst() }
        parts = parts.dropFirst(2)
        guard parts.count >= 4 else { return }
        let fields = Array(parts)
        issuer = Self.name(fields[0])
        if let dates = fields[1].children(limit: 2), dates.count == 2 {
            notBefore = Self.time(dates[0])
            notAfter = Self.time(dates[1])
        }
        subject = Self.name(fields[2])
        publicKeySHA256 = [UInt8](SHA256.hash(data: fields[3].encodedBytes))
        if let list = fields.dropFirst(4).first(where: { $0.identifier == .context(3) })?.children(limit: 1)?.first {
            alternativeNames = Self.alternativeNames(list)
        }
    }

    // MARK: Names

    private static let attributes: [String: String] = [
        "2.5.4.3": "CN", "2.5.4.4": "SN", "2.5.4.5": "serialNumber", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST",
        "2.5.4.9": "street",
        "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.12": "title", "2.5.4.42": "GN", "0.9.2342.19200300.100.1.25": "DC",
        "0.9.2342.19200300.100.1.1": "UID", "1.2.840.113549.1.9.1": "emailAddress",
    ]

    /// A distinguished name in the certificate's order; escapes what could pass for another attribute.
    private static func name(_ node: ASN1Node) -> String {
        let pairs = (node.children(limit: 64) ?? []).flatMap { $0.children(limit: 8) ?? [] }.compactMap {
            attribute -> String? in
            guard let parts = attribute.children(limit: 2), parts.count == 2,
                let type = try? ASN1ObjectIdentifier(derEncoded: parts[0]), let value = text(parts[1])
            else { return nil }
            let escaped = value.map { ",+=\"\\<>;".contains($0) ? "\\\($0)" : String($0) }.joined()
            return "\(attributes["\(type)"] ?? "\(type)")=\(escaped)"
        }
        return String(pairs.joined(separator: ", ").unicodeScalars.prefix(400))
    }

    private static func text(_ node: ASN1Node) -> String? {
        guard let bytes = node.bytes else { return nil }
        switch node.identifier.tagNumber {
        case 28:
            return line(
                stride(from: 0, to: bytes.count & ~3, by: 4).map { at in
                    Unicode.Scalar(bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) ?? "\u{fffd}"
                })
        case 30:
            return line(
                String(
                    decoding: stride(from: 0, to: bytes.count & ~1, by: 2).map { at in
                        UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
                    }, as: UTF16.self
                ).unicodeScalars)
        default: return line(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        }
    }

    /// Without control and bidi characters, at most 200 characters.
    private static func line(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in scalars.prefix(200) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                clean.append("\u{fffd}")
            default: clean.append(scalar)
            }
        }
        return String(clean)
    }

    /// Of the extension subjectAltName: DNS names and IP addresses, at most 100.
    private static func alternativeNames(_ extensions: ASN1Node) -> [String] {
        for entry in extensions.children(limit: 64) ?? [] {
            guard let parts = entry.children(limit: 3), let first = parts.first, let last = parts.last,
                (try? ASN1ObjectIdentifier(derEncoded: first)) == [2, 5, 29, 17], let bytes = last.bytes,
                let names = try? DER.parse(bytes)
            else { continue }
            return (names.children(limit: 100) ?? []).compactMap { name in
                switch name.identifier {
                case .context(2): text(name)
                case .context(7): name.bytes.flatMap { address(Array($0)) }
                default: nil
                }
            }
        }
        return []
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &room, socklen_t(room.count)) != nil else {
            return nil
        }
        return String(decoding: room.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Times

    private static func time(_ node: ASN1Node) -> Int64? {
        if let time = try? UTCTime(derEncoded: node) {
            return seconds(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        guard let time = try? GeneralizedTime(derEncoded: node) else { return nil }
        return seconds(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    }

    private static func seconds(
        _ year: Int, _ month: Int, _ day: Int, _ hours: Int, _ minutes: Int, _ seconds: Int
    ) -> Int64 {
        var time = tm()
        time.tm_year = Int32(year - 1900)
        time.tm_mon = Int32(month - 1)
        time.tm_mday = Int32(day)
        time.tm_hour = Int32(hours)
        time.tm_min = Int32(minutes)
        time.tm_sec = Int32(seconds)
        return Int64(timegm(&time))
    }
}

extension ASN1Node {
    /// The first `limit` parts; `nil` if there are none.
    fileprivate func children(limit: Int) -> [ASN1Node]? {
        guard case .constructed(let nodes) = content else { return nil }
        return Array(nodes.prefix(limit))
    }

    fileprivate var bytes: ArraySlice<UInt8>? {
        guard case .primitive(let bytes) = content else { return nil }
        // Counted from 0.
        return Array(bytes)[...]
    }
}

extension ASN1Identifier {
    fileprivate static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
