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
        var (parser, plain) = (HeadParser(), PlainHead())
        plain.begin(isSecure: bytes.first == UInt8(ascii: "h"))
        var heads: [HTTPResponse] = []
        var isTooLarge = false
        for line in lines(bytes) {
            if case .tooLarge = parser.take(line) { isTooLarge = true }
            _ = plain.take(line)
        }
        parser = HeadParser()
        for line in lines(bytes) where !isTooLarge {
            if case .final(let head) = parser.take(line) { heads.append(head) }
        }
        guard case .plain(let length) = plain.verdict, !isTooLarge else { return }
        try promise(heads.count == 1, "a plain head, but \(heads.count) final ones")
        try promise(heads[0].status.code == 200, "a plain head of status \(heads[0].status.code)")
        try promise(
            ResumePolicy.bodyLength(heads[0]) == Int64(length),
            "a plain head of \(length) bytes: \(ResumePolicy.bodyLength(heads[0]).map(String.init) ?? "no length")")
    }

    private static func names(_ bytes: Bytes) throws {
        let proposals = [ContentDisposition(bytes: bytes)?.fileName, bytes.text, LegacyText.guess(bytes.array)]
        for proposal in proposals.compactMap(\.self) {
            for allowsHidden in [true, false] {
                guard let name = SafeFileName.sanitize(proposal, allowsHidden: allowsHidden) else { continue }
                let scalars = name.unicodeScalars
                try promise(
                    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
                        && !name.utf8.contains(0),
                    "no file name: \(name.debugDescription)")
                try promise(name.utf8.count <= SafeFileName.maximumBytes, "a name of \(name.utf8.count) bytes")
                try promise(!SafeFileName.isReserved(name), "a reserved name: \(name.debugDescription)")
                try promise(name.utf8.first != UInt8(ascii: "-"), "an option: \(name.debugDescription)")
                try promise(
                    allowsHidden || name.utf8.first != UInt8(ascii: "."), "a hidden file: \(name.debugDescription)")
                try promise(
                    !scalars.contains { $0.properties.generalCategory == .control }, "a control character in a name")
                try promise(
                    SafeFileName.sanitize(name, allowsHidden: allowsHidden) == name,
                    "not stable: \(name.debugDescription)")
            }
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
        _ = (tags.matchesStrongly("\"1\""), tags.matchesWeakly("W/\"1\""), ReprDigest(parsing: text))
        for line in lines(bytes).prefix(8) {
            let field = HTTPField(name: .contentRange, value: line.array)
            for code in [200, 206, 416] {
                let head = HTTPResponse(status: .init(code: code), headerFields: [field.name: field.value])
                let point = ResumePoint(offset: 10, validator: Validator(entityTag: "\"1\""), total: 20)
                if case .append(let offset, let total) = ResumePolicy.evaluate(head, askedFor: point, host: "host") {
                    try promise(offset == 10 && (total ?? 11) > 10, "appends at \(offset) of \(total ?? -1)")
                }
            }
        }
    }

    private static func cookies(_ bytes: Bytes) throws {
        for line in lines(bytes).prefix(16) { _ = SetCookie(parsing: line.text) }
        let stored = CookieFileFormat.parse(bytes.array)
        let printed = CookieFileFormat.print(stored)
        let again = CookieFileFormat.parse(printed)
        try promise(CookieFileFormat.print(again) == printed, "a cookie file that changes when it is written again")
        _ = (CookieHeader.parse(bytes.text), try? FileQCookies(parsing: bytes.text))
    }

    private static func otherFields(_ bytes: Bytes) throws {
        let text = bytes.text
        if let service = AlternativeServiceField(parsing: text) { _ = service }
        _ = (ChallengeHeader.parse(text), StrictTransportSecurity(parsing: text), Tus.number(text))
        if let seconds = HTTPDate.parse(text) {
            try promise(
                HTTPDate.parse(HTTPDate.format(seconds), now: seconds) == seconds, "the date \(seconds) changes")
        }
        let line = TextLine.first(of: text)
        try promise(!line.unicodeScalars.contains { $0.value < 0x20 }, "a control character in a message")
    }

    private static func certificate(_ bytes: Bytes) throws {
        let summary = CertificateSummary(der: bytes.array)
        try promise(summary.sha256.count == 32, "a digest of \(summary.sha256.count) bytes")
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
