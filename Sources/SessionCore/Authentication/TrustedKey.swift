// SPDX-License-Identifier: MIT

public import TransferModel

/// A server's public key that the user has accepted, whatever the system says about its certificate.
public struct TrustedKey: Sendable, Hashable {
    /// Lower case, without brackets.
    public let host: String
    public let port: Int
    /// The key that is compared.
    public let publicKey: Fingerprint
    /// The certificate shown with it; for people.
    public let certificate: Fingerprint?
    /// When it was accepted, in seconds since 1970; whole days in UTC in the file.
    public let accepted: Int64?
    /// Of the certificate; for people. One line without control and format characters, at most 200 characters.
    public let subject: String

    /// - Throws: code `usage` if `host` is invalid or `port` is not 1…65535.
    public init(
        host: String, port: Int, publicKey: Fingerprint, certificate: Fingerprint? = nil, accepted: Int64? = nil,
        subject: String = ""
    ) throws(TransferError) {
        guard !host.isEmpty, host.unicodeScalars.allSatisfy(Self.isAllowed), (1...65535).contains(port) else {
            throw TransferError(.trustedKey)
        }
        self.host = host.lowercased()
        self.port = port
        self.publicKey = publicKey
        self.certificate = certificate
        self.accepted = accepted
        self.subject =
            String(
                String.UnicodeScalarView(
                    TextLine.first(of: subject).unicodeScalars.filter {
                        $0.properties.generalCategory != .format
                    })
            ).withoutOuterBlanks
    }

    /// `HOST:PORT sha256//KEY [certificate=sha256//CERTIFICATE] [YYYY-MM-DD] [# SUBJECT]`; an IPv6 address is in
    /// brackets.
    /// - Returns: `nil` for anything else: lines that cannot be parsed are not trusted.
    init?(parsing line: String) {
        let comment = line.firstRange(of: " #")
        var words = line[..<(comment?.lowerBound ?? line.endIndex)].split { $0 == " " || $0 == "\t" }[...]
        guard let (host, port) = words.popFirst().flatMap(Self.splitPort),
            let key = words.popFirst().flatMap({ Fingerprint(parsing: $0) })
        else { return nil }
        var certificate: Fingerprint?
        if let word = words.first, word.hasPrefix(Self.certificateWord) {
            certificate = Fingerprint(parsing: word.dropFirst(Self.certificateWord.count))
            guard certificate != nil else { return nil }
            words.removeFirst()
        }
        var day: Int64?
        if let word = words.popFirst() {
            day = CompactTime.parseDay(word)
            guard day != nil else { return nil }
        }
        guard words.isEmpty,
            let key = try? TrustedKey(
                host: String(host), port: port, publicKey: key, certificate: certificate, accepted: day,
                subject: comment.map { String(line[$0.upperBound...].drop(while: \.isWhitespace)) } ?? "")
        else { return nil }
        self = key
    }

    /// In the format of the file: `HOST:PORT sha256//KEY [certificate=sha256//CERTIFICATE] [YYYY-MM-DD] [# SUBJECT]`.
    package var line: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return
            (["\(name):\(port)", "\(publicKey)"]
            + [
                certificate.map { "\(Self.certificateWord)\($0)" },
                accepted.map(CompactTime.day), subject.isEmpty ? nil : "# \(subject)",
            ]
            .compactMap { $0 }).joined(separator: " ")
    }

    private static let certificateWord = "certificate="

    private static func splitPort(_ word: Substring) -> (Substring, Int)? {
        guard let colon = word.lastIndex(of: ":"), let port = Int(word[word.index(after: colon)...]) else { return nil }
        let name = word[..<colon]
        guard name.hasPrefix("[") else { return name.contains(":") ? nil : (name, port) }
        return name.hasSuffix("]") ? (name.dropFirst().dropLast(), port) : nil
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value > 0x20, !scalar.properties.isWhitespace, !["#", "[", "]"].contains(scalar) else {
            return false
        }
        return ![.control, .format].contains(scalar.properties.generalCategory)
    }
}

extension String {
    fileprivate var withoutOuterBlanks: String {
        let start = drop(while: \.isWhitespace)
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}
