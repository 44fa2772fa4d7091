// SPDX-License-Identifier: MIT

import HTTPTypes

extension StoredDescription {
    /// ``TransferOptions``; what has its default is left out.
    public struct Options: Sendable, Hashable, Codable {
        public var version = StoredDescription.currentVersion
        public var method: String?
        public var headers: [Pair]?
        public var cookies: [Pair]?
        public var cookieJar: String?
        public var user: String?
        public var password: SecretReference?
        public var usesNetrc: Bool?
        public var connectTimeout: Double?
        public var requestTimeout: Double?
        public var resourceTimeout: Double?
        public var retries: Int?
        public var rateLimit: Int?
        public var maximumRedirects: Int?
        public var pins: [String]?
        /// In hexadecimal digits.
        public var certificatePins: [String]?
        public var clientIdentity: Identity?
        public var certificateAuthorities: String?
        public var httpVersion: TransferOptions.HTTPVersion?
        public var assumesHTTP3Capable: Bool?
        public var interface: String?
        public var multipath: MultipathServiceType?
        public var waitsForConnectivity: Bool?
        public var allowsCellular: Bool?
        public var allowsExpensive: Bool?
        public var allowsConstrained: Bool?
        public var liftsRestrictions: Bool?
        public var allowsDowngrade: Bool?
        public var cachePolicy: CachePolicy?
        public var priority: Double?
    }

    /// ``ClientIdentity``: paths, and a reference for the passphrase.
    public struct Identity: Sendable, Hashable, Codable {
        public var certificate: String
        public var format: ClientIdentity.Format
        public var key: String?
        public var passphrase: SecretReference?
    }

    /// A name with its value, or with what stands for it.
    public struct Pair: Sendable, Hashable, Codable {
        public var name: String
        public var value: String?
        public var secret: SecretReference?

        fileprivate func restored(with secrets: SecretValues) throws(TransferError) -> String {
            if let secret { return try secrets.require(secret) }
            guard let value else { throw StoredDescription.damaged("a value is missing") }
            return value
        }
    }
}

extension StoredDescription.Options {
    public init(_ options: TransferOptions, secrets: inout SecretValues) {
        method = options.method?.rawValue
        if !options.headers.isEmpty {
            headers = options.headers.enumerated().map { index, field in
                let isSecret = !field.name.isImpersonal
                return StoredDescription.Pair(name: field.name.rawName, value: isSecret ? nil : field.value,
                                              secret: isSecret ? secrets.keep(field.value, as: "header.\(index)") : nil)
            }
        }
        if !options.cookies.isEmpty {
            cookies = options.cookies.enumerated().map { index, cookie in
                StoredDescription.Pair(name: cookie.name, secret: secrets.keep(cookie.value, as: "cookie.\(index)"))
            }
        }
        cookieJar = options.cookieJar
        user = options.credential?.user
        password = options.credential.map { secrets.keep($0.password, as: "password") }
        usesNetrc = options.usesNetrc ? nil : false
        connectTimeout = options.connectTimeout
        requestTimeout = options.requestTimeout
        resourceTimeout = options.resourceTimeout
        retries = options.retries
        rateLimit = options.rateLimit
        maximumRedirects = options.maximumRedirects
        pins = options.pins.isEmpty ? nil : options.pins
        certificatePins = options.certificatePins.isEmpty ? nil : options.certificatePins.map(Hex.encode)
        clientIdentity = options.clientIdentity.map { identity in
            StoredDescription.Identity(certificate: identity.certificate, format: identity.format, key: identity.key,
                                       passphrase: identity.passphrase.map { secrets.keep($0.value, as: "identity.passphrase") })
        }
        certificateAuthorities = options.certificateAuthorities
        takeNetwork(of: options)
        cachePolicy = options.cachePolicy
        priority = options.priority == 0.5 ? nil : options.priority
    }

    private mutating func takeNetwork(of options: TransferOptions) {
        httpVersion = options.httpVersion == .automatic ? nil : options.httpVersion
        assumesHTTP3Capable = options.assumesHTTP3Capable ? true : nil
        interface = options.interface
        multipath = options.multipath
        waitsForConnectivity = options.waitsForConnectivity
        allowsCellular = options.allowsCellular
        allowsExpensive = options.allowsExpensive
        allowsConstrained = options.allowsConstrained
        liftsRestrictions = options.liftsRestrictions ? true : nil
        allowsDowngrade = options.allowsDowngrade
    }

    func restored(with secrets: SecretValues) throws(TransferError) -> TransferOptions {
        var options = TransferOptions()
        if let method {
            guard let known = HTTPRequest.Method(method) else { throw StoredDescription.damaged("method") }
            options.method = known
        }
        for pair in headers ?? [] {
            guard let name = HTTPField.Name(pair.name) else { throw StoredDescription.damaged("header") }
            options.headers.append(HTTPField(name: name, value: try pair.restored(with: secrets)))
        }
        for pair in cookies ?? [] {
            options.cookies.append(try Cookie(name: pair.name, value: try pair.restored(with: secrets)))
        }
        options.cookieJar = cookieJar
        if let user, let password { options.credential = Credential(user: user, password: try secrets.require(password)) }
        options.usesNetrc = usesNetrc ?? true
        options.connectTimeout = connectTimeout
        options.requestTimeout = requestTimeout
        options.resourceTimeout = resourceTimeout
        options.retries = retries
        options.rateLimit = rateLimit
        options.maximumRedirects = maximumRedirects
        options.pins = pins ?? []
        for pin in certificatePins ?? [] {
            guard let bytes = Hex.decode(pin) else { throw StoredDescription.damaged("certificate pin") }
            options.certificatePins.append(bytes)
        }
        if let clientIdentity {
            var passphrase: Secret?
            if let reference = clientIdentity.passphrase { passphrase = Secret(try secrets.require(reference)) }
            options.clientIdentity = ClientIdentity(certificate: clientIdentity.certificate, key: clientIdentity.key,
                                                    passphrase: passphrase, format: clientIdentity.format)
        }
        options.certificateAuthorities = certificateAuthorities
        restoreNetwork(of: &options)
        options.cachePolicy = cachePolicy
        options.priority = priority ?? options.priority
        return options
    }

    private func restoreNetwork(of options: inout TransferOptions) {
        options.httpVersion = httpVersion ?? .automatic
        options.assumesHTTP3Capable = assumesHTTP3Capable ?? false
        options.interface = interface
        options.multipath = multipath
        options.waitsForConnectivity = waitsForConnectivity
        options.allowsCellular = allowsCellular
        options.allowsExpensive = allowsExpensive
        options.allowsConstrained = allowsConstrained
        options.liftsRestrictions = liftsRestrictions ?? false
        options.allowsDowngrade = allowsDowngrade
    }
}
