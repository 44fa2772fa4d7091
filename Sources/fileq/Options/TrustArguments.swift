// SPDX-License-Identifier: MIT

import FoundationEssentials
import SessionCore
import TransferModel

/// Keys, pins and certificates as typed.
enum TrustArguments {
    /// The keys of `--trust`.
    /// - Parameter urls: the URLs of the run; a key without a server applies to the only server they name.
    /// - Throws: code `usage`.
    static func keys(_ words: [String], for urls: [TransferURL]) throws(TransferError) -> [TrustedKey] {
        var keys: [TrustedKey] = []
        for word in words {
            let key = try naming("--trust") { () throws(TransferError) in try Self.key(word, for: urls) }
            guard !keys.contains(where: { $0.host == key.host && $0.port == key.port }) else {
                throw TransferError(
                    .usage, option: "--trust",
                    "\(ConsentQuestion.authority(key.host, key.port)) is given two keys; "
                        + "a server has one")
            }
            keys.append(key)
        }
        return keys
    }

    private static func key(_ word: String, for urls: [TransferURL]) throws(TransferError) -> TrustedKey {
        if word.hasPrefix("sha256//") {
            guard let url = urls.first(where: \.isSecure) else {
                throw TransferError(.usage, "no URL begins with https://, so there is no server to trust")
            }
            guard urls.allSatisfy({ !$0.isSecure || ($0.host == url.host && $0.port == url.port) }) else {
                throw TransferError(
                    .usage, "the URLs name several servers: name the one with this key: HOST:PORT=\(word)")
            }
            return try trusted(url.host, url.port, word)
        }
        guard let equals = word.firstIndex(of: "=") else { throw form }
        let (host, port) = try server(String(word[..<equals]))
        return try trusted(host, port, String(word[word.index(after: equals)...]))
    }

    /// - Parameter accepted: seconds since 1970.
    static func trusted(
        _ host: String, _ port: Int, _ text: String, accepted: Int64? = nil
    ) throws(TransferError) -> TrustedKey {
        guard let key = Fingerprint(parsing: text) else { throw form }
        return try TrustedKey(host: host, port: port, publicKey: key, accepted: accepted)
    }

    /// `HOST:PORT`, an IPv6 address in brackets; without a port 443.
    static func server(_ text: String) throws(TransferError) -> (host: String, port: Int) {
        guard !text.contains(where: { "/@?#".contains($0) }), let url = try? TransferURL("https://\(text)/") else {
            throw TransferError(.usage, "'\(text)' is not a server: use HOST:PORT")
        }
        return (url.host, url.port)
    }

    private static let form = TransferError(
        .usage, "use HOST:PORT=sha256// and the base64 of the 32 bytes of the key's SHA-256")

    /// Pins of keys, and of certificates as `cert-sha256:HEX`.
    /// - Throws: code `usage`.
    static func pins(_ words: [String]) throws(TransferError) -> (keys: [String], certificates: [[UInt8]]) {
        var pins: (keys: [String], certificates: [[UInt8]]) = ([], [])
        for word in words {
            if word.hasPrefix(certificatePrefix) {
                let digits = word.dropFirst(certificatePrefix.count).filter { $0 != ":" }
                guard let bytes = Hex.decode(digits), bytes.count == 32 else {
                    throw TransferError(
                        .usage, option: "--pin", "use cert-sha256: and the 64 digits of the certificate's SHA-256")
                }
                pins.certificates.append(bytes)
            } else {
                guard Fingerprint(parsing: word) != nil else {
                    throw TransferError(
                        .usage, option: "--pin",
                        "use sha256// and the base64 of the 32 bytes of the key's SHA-256, or "
                            + "cert-sha256: and the digits of the certificate's")
                }
                pins.keys.append(word)
            }
        }
        return pins
    }

    private static let certificatePrefix = "cert-sha256:"

    /// - Throws: code `usage` if a file is unreadable, or an option requires another.
    static func identity(_ options: IdentityOptions) throws(TransferError) -> ClientIdentity? {
        guard let certificate = options.cert else {
            if options.key != nil { throw TransferError(.usage, about: "key", "--key needs --cert FILE") }
            if options.keyPasswordFile != nil {
                throw TransferError(.usage, about: "key-password-file", "--key-password-file needs --cert FILE")
            }
            return nil
        }
        for (option, file) in [("--cert", certificate), ("--key", options.key)] {
            guard let file, !FileManager.default.isReadableFile(atPath: file) else { continue }
            throw TransferError(.usage, option: option, "'\(file)' cannot be read")
        }
        let passphrase = try options.keyPasswordFile.map { file throws(TransferError) in
            Secret(try SecretFile.firstLine(of: file, option: "--key-password-file"))
        }
        return ClientIdentity(certificate: certificate, key: options.key, passphrase: passphrase)
    }

    /// - Throws: code `usage`.
    static func versions(_ options: TrustOptions) throws(TransferError) -> (minimum: TLSVersion?, maximum: TLSVersion?)
    {
        func version(_ text: String?, _ option: String) throws(TransferError) -> TLSVersion? {
            guard let text else { return nil }
            guard let version = TLSVersion(rawValue: text), version >= .tls12 else {
                throw TransferError(.usage, option: option, "use 1.2 or 1.3")
            }
            return version
        }
        let (minimum, maximum) = (try version(options.tlsMin, "--tls-min"), try version(options.tlsMax, "--tls-max"))
        if let minimum, let maximum, maximum < minimum {
            throw TransferError(
                .usage, about: "tls-min",
                "--tls-min \(minimum.rawValue) and --tls-max \(maximum.rawValue) leave no version")
        }
        return (minimum, maximum)
    }
}
