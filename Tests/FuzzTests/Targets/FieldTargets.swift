// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import CurlTransport
@testable import SessionCore
@testable import TransferModel

extension FuzzTarget {
    /// What servers send before the body.
    static let fields = [
        FuzzTarget("head", head), FuzzTarget("names", names), FuzzTarget("ranges", ranges),
        FuzzTarget("cookies", cookies), FuzzTarget("fields", otherFields), FuzzTarget("certificate", certificate),
        FuzzTarget("addresses", addresses),
    ]

    private static func lines(_ bytes: Bytes) -> [Bytes] {
        bytes.split(separator: 10, omittingEmptySubsequences: false).map { UnsafeRawBufferPointer(rebasing: $0) }
    }

    /// A head that needs no task must mean to the task what it means to the slot.
    private static func head(_ bytes: Bytes) throws {
        var (parser, plain, upload) = (HeadParser(), PlainHead(), PlainHead())
        plain.begin(isSecure: bytes.last == UInt8(ascii: "s"))
        upload.begin(isSecure: false, isOfUpload: true)
        var heads: [HTTPResponse] = []
        var isTooLarge = false
        for line in lines(bytes) {
            _ = (plain.take(line), upload.take(line))
            guard !isTooLarge else { continue }
            switch parser.take(line) {
            case .tooLarge: isTooLarge = true
            case .final(let head): heads.append(head)
            case .none, .informational: break
            }
        }
        try promise(parser.trailers.count <= HeadParser.maximumFields, "\(parser.trailers.count) trailers")
        for head in heads {
            try promise((200...999).contains(head.status.code) || head.status.code < 100, "a final \(head.status.code)")
            try promise(head.headerFields.count <= HeadParser.maximumFields, "\(head.headerFields.count) fields")
        }
        if case .plain(let length) = upload.verdict, !isTooLarge {
            try promise(heads.count == 1, "a plain head of an upload, but \(heads.count) final ones")
            let code = heads[0].status.code
            try promise([200, 201, 202, 204].contains(code), "a plain head of an upload of status \(code)")
            let known = code == 204 ? 0 : ResumePolicy.bodyLength(heads[0])
            try promise(known == Int64(length), "a plain head of \(length) bytes, not \(known ?? -1)")
            try promise(
                heads[0].headerFields[.location] == upload.location, "another location: \(upload.location ?? "")")
        }
        if case .plain(let length) = plain.verdict, !isTooLarge {
            try promise(heads.count == 1, "a plain head, but \(heads.count) final ones")
            try promise(heads[0].status.code == 200, "a plain head of status \(heads[0].status.code)")
            let known = ResumePolicy.bodyLength(heads[0])
            try promise(known == Int64(length), "a plain head of \(length) bytes, not \(known ?? -1)")
        }
    }

    private static func names(_ bytes: Bytes) throws {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        let plain = isText ? bytes.text : LegacyText.guess(bytes.array)
        let proposal = ContentDisposition(bytes: bytes)?.fileName ?? plain
        for allowsHidden in [true, false] {
            guard let name = SafeFileName.sanitize(proposal, allowsHidden: allowsHidden) else { continue }
            try promise(
                !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
                    && !name.utf8.contains(0),
                "no file name: \(name.debugDescription)")
            try promise(name.utf8.count <= SafeFileName.maximumBytes, "a name of \(name.utf8.count) bytes")
            try promise(!SafeFileName.isReserved(name), "a reserved name: \(name.debugDescription)")
            try promise(name.utf8.first != UInt8(ascii: "-"), "an option: \(name.debugDescription)")
            try promise(allowsHidden || name.utf8.first != UInt8(ascii: "."), "a hidden file: \(name.debugDescription)")
            try promise(
                !name.unicodeScalars.contains { $0.properties.generalCategory == .control },
                "a control character in a name")
            try promise(
                SafeFileName.sanitize(name, allowsHidden: allowsHidden) == name,
                "not stable: \(name.debugDescription)")
            let sent = ContentDisposition(fileName: name).description
            try promise(ContentDisposition(parsing: sent)?.fileName == name, "another name is read from \(sent)")
        }
    }

    private static func ranges(_ bytes: Bytes) throws {
        let text = bytes.text
        if let request = ByteRangeRequest(parsing: text) {
            for size: Int64 in [0, 1, 100, .max] {
                guard let range = request.resolved(size: size) else { continue }
                try promise(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, "\(range) of \(size)")
            }
            try promise(ByteRangeRequest(parsing: request.description) == request, "not stable: \(request)")
        }
        let tags = EntityTagList(parsing: text)
        try promise(!tags.matchesStrongly("\"1\"") || tags.matchesWeakly("\"1\""), "a strong match that is no weak one")
        if let digest = ReprDigest(parsing: text), !digest.checksums.isEmpty {
            try promise(ReprDigest(parsing: digest.description) == digest, "the digest changes: \(digest)")
        }
        if let range = ContentRange(parsing: text) {
            try promise(ContentRange(parsing: range.description) == range, "the range changes: \(range)")
        }
        guard let url = try? TransferURL("http://host/f") else { return }
        for line in lines(bytes).prefix(8) {
            let field = HTTPField(name: .contentRange, value: line.array)
            for code in [200, 206, 416] {
                let head = HTTPResponse(status: .init(code: code), headerFields: [field.name: field.value])
                let point = ResumePoint(offset: 10, validator: Validator(entityTag: "\"1\""), total: 20)
                if case .append(let offset, let total) = ResumePolicy.evaluate(head, askedFor: point, of: url) {
                    try promise(offset == 10 && (total ?? 11) > 10, "appends at \(offset) of \(total ?? -1)")
                }
            }
        }
    }

    /// Each owner has the names below its own label.
    private struct Suffixes: PublicSuffixes {
        func isPublicSuffix(_ domain: String) -> Bool { !domain.utf8.contains(UInt8(ascii: ".")) }
    }

    private static func cookies(_ bytes: Bytes) throws {
        let stored = CookieFileFormat.parse(bytes.array)
        let printed = CookieFileFormat.print(stored)
        let kept = stored.filter { CookieFileFormat.canHold($0) }
        try promise(CookieFileFormat.parse(printed) == kept, "a cookie file that changes when it is written again")
        let text = bytes.text
        _ = (CookieHeader.parse(text), try? FileQCookies(parsing: text))
        let origin = CookieOrigin(try TransferURL("https://a.host.example/dir/page"))
        let now = 1_700_000_000.0
        var table = CookieTable()
        for line in lines(bytes).prefix(64) {
            guard let field = SetCookie(parsing: line.text),
                let cookie = StoredCookie(field, from: origin, suffixes: Suffixes(), now: now)
            else { continue }
            table.receive([cookie], from: origin, now: now)
            try promise(CookieDomain.matches(origin.host, cookie.domain), "a cookie for \(cookie.domain)")
            try promise(cookie.domain != "example", "a cookie for all of a public suffix")
            try promise(
                cookie.expires ?? 0 <= Int64(now) + StoredCookie.maximumAge, "a cookie that lasts longer than allowed")
        }
        try promise(table.count == table.entries.count, "\(table.count) cookies, not \(table.entries.count)")
        try promise(
            table.domains.values.allSatisfy { $0.count <= CookieTable.maximumPerDomain }, "too many of one domain")
        for cookie in table.cookies(for: origin, now: now) {
            try promise(
                !cookie.pair.utf8.contains { $0.isForbiddenInCookies || $0 == UInt8(ascii: ";") },
                "a field that a cookie ends")
        }
        for address in ["https://host.example.org/dir/page", "https://other.example/dir/page", "https://example/"] {
            let other = CookieOrigin(try TransferURL(address))
            try promise(table.cookies(for: other, now: now).isEmpty, "a cookie of another site")
        }
        let plain = CookieOrigin(try TransferURL("http://a.host.example/dir/page"))
        try promise(!table.cookies(for: plain, now: now).contains { $0.secure }, "a secure cookie over plain http")
    }

    private static func otherFields(_ bytes: Bytes) throws {
        let text = bytes.text
        if case .services(let services) = AlternativeServiceField(parsing: text) {
            try promise(services.count <= AlternativeServiceField.maximumServices, "\(services.count) alternatives")
            for service in services {
                try promise((1...65535).contains(service.port), "port \(service.port)")
                try promise(
                    service.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ",") },
                    "an alternative that is no host: \(service.host.debugDescription)")
                try promise(service.maximumAge >= 0, "an age of \(service.maximumAge)")
            }
        }
        let challenges = ChallengeHeader.parse(text)
        try promise(challenges.count <= 32 && challenges.allSatisfy { $0.parameters.count <= 64 }, "no limit")
        try promise(!challenges.contains { $0.scheme.isEmpty }, "a challenge without a scheme")
        if let strict = StrictTransportSecurity(parsing: text) {
            try promise(strict.maxAge >= 0, "an age of \(strict.maxAge)")
        }
        if let number = Tus.number(text) { try promise(number >= 0, "\(number) bytes") }
        if let seconds = HTTPDate.parse(text) {
            try promise(
                HTTPDate.parse(HTTPDate.format(seconds), now: seconds) == seconds, "the date \(seconds) changes")
        }
        let line = TextLine.first(of: text)
        try promise(!line.unicodeScalars.contains { $0.value < 0x20 }, "a control character in a message")
        try links(text)
    }

    private static func links(_ text: String) throws {
        let url = try TransferURL("https://host.example/a")
        let mirrors = FileMirror.announced(by: [text, text], of: url)
        try promise(mirrors.count <= FileMirror.maximumCount, "\(mirrors.count) mirrors")
        try promise(Set(mirrors.map(\.url)).count == mirrors.count, "a mirror twice")
        for mirror in mirrors {
            try promise(mirror.url != url && mirror.url.credential == nil, "not a mirror: \(mirror.url.string)")
            try promise(mirror.priority.map { FileMirror.priorities.contains($0) } ?? true, "no priority")
            try promise(isCountry(mirror.location), "no country: \(mirror.location.debugDescription)")
        }
    }

    /// Two letters.
    static func isCountry(_ text: String?) -> Bool {
        text.map { $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x61...0x7a).contains($0) } } ?? true
    }

    private static func certificate(_ bytes: Bytes) throws {
        let summary = CertificateSummary(der: bytes.array)
        try promise(summary.sha256.count == 32, "a digest of \(summary.sha256.count) bytes")
        try promise(summary.publicKeySHA256?.count ?? 32 == 32, "a digest of a key that is none")
        try promise(summary.alternativeNames.count <= 100, "\(summary.alternativeNames.count) names")
        for text in [summary.subject, summary.issuer] + summary.alternativeNames {
            try promise(text.unicodeScalars.count <= 400, "a name of \(text.unicodeScalars.count) characters")
            try promise(
                !text.unicodeScalars.contains {
                    [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                }, "a character that changes the line: \(text.debugDescription)")
        }
    }

    private static func addresses(_ bytes: Bytes) throws {
        let text = bytes.text
        if let url = try? TransferURL(text) {
            let again = try? TransferURL(url.string)
            try promise(again == url.replacingCredential(nil), "the address changes: \(url.string.debugDescription)")
            try promise(
                !url.string.utf8.contains { $0 <= 0x20 || $0 == 0x7f },
                "a control character: \(url.string.debugDescription)")
        }
        if let base = try? TransferURL("https://host.example/a/b?c"), let next = try? base.resolving(text) {
            try promise(
                (try? TransferURL(next.string)) == next.replacingCredential(nil),
                "the reference changes: \(next.string.debugDescription)")
        }
        _ = (try? ProxyServer(parsing: text), ProxyBypass([text]).contains(host: "host.example", port: 443))
        _ = Netrc(text: text).credential(host: "host.example")
    }
}
