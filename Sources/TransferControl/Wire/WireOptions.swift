// SPDX-License-Identifier: MIT

import TransferModel

/// ``TransferModel/TransferOptions`` as they travel. What has its default is absent.
struct WireOptions: Sendable, Hashable, Codable {
    /// A header field or a cookie.
    struct Pair: Sendable, Hashable, Codable {
        var name: String
        var value: String
    }

    var method: String?
    var headers: [Pair]?
    var cookies: [Pair]?
    var cookieJar: String?
    var login: Credential?
    var usesNetrc: Bool?
    var connectTimeout: Double?
    var requestTimeout: Double?
    var resourceTimeout: Double?
    var retries: Int?
    var rateLimit: Int?
    var maximumRedirects: Int?
    var pins: [String]?
    /// In hexadecimal digits.
    var certificatePins: [String]?
    var clientIdentity: WireIdentity?
    var certificateAuthorities: String?
    var httpVersion: String?
    var assumesHTTP3Capable: Bool?
    var interface: String?
    var multipath: String?
    var waitsForConnectivity: Bool?
    var allowsCellular: Bool?
    var allowsExpensive: Bool?
    var allowsConstrained: Bool?
    var liftsRestrictions: Bool?
    var allowsDowngrade: Bool?
    var cachePolicy: String?
    var priority: Double?

    init(_ options: TransferOptions) {
        let defaults = TransferOptions()
        method = options.methodText
        headers = Self.list(options.headerTexts.map { Pair(name: $0.name, value: $0.value) })
        cookies = Self.list(options.cookies.map { Pair(name: $0.name, value: $0.value) })
        cookieJar = options.cookieJar
        login = options.credential
        usesNetrc = Self.unless(defaults.usesNetrc, options.usesNetrc)
        connectTimeout = options.connectTimeout
        requestTimeout = options.requestTimeout
        resourceTimeout = options.resourceTimeout
        retries = options.retries
        rateLimit = options.rateLimit
        maximumRedirects = options.maximumRedirects
        pins = Self.list(options.pins)
        certificatePins = Self.list(options.certificatePins.map(Hex.encode))
        clientIdentity = options.clientIdentity.map(WireIdentity.init)
        certificateAuthorities = options.certificateAuthorities
        httpVersion = Self.unless(defaults.httpVersion, options.httpVersion)?.rawValue
        assumesHTTP3Capable = Self.unless(defaults.assumesHTTP3Capable, options.assumesHTTP3Capable)
        interface = options.interface
        multipath = options.multipath?.rawValue
        waitsForConnectivity = options.waitsForConnectivity
        allowsCellular = options.allowsCellular
        allowsExpensive = options.allowsExpensive
        allowsConstrained = options.allowsConstrained
        liftsRestrictions = Self.unless(defaults.liftsRestrictions, options.liftsRestrictions)
        allowsDowngrade = options.allowsDowngrade
        cachePolicy = options.cachePolicy?.rawValue
        priority = Self.unless(defaults.priority, options.priority)
    }

    private static func list<Element>(_ elements: [Element]) -> [Element]? { elements.isEmpty ? nil : elements }

    private static func unless<Value: Equatable>(_ usual: Value, _ value: Value) -> Value? { value == usual ? nil : value }
}

extension WireOptions {
    /// - Throws: code `usage`, naming the option; never its value.
    func options() throws(TransferError) -> TransferOptions {
        var options = TransferOptions()
        try setRequest(&options)
        try setTimes(&options)
        try setTrust(&options)
        try setNetwork(&options)
        return options
    }

    /// What is said to the server.
    private func setRequest(_ options: inout TransferOptions) throws(TransferError) {
        if let method { try options.setMethod(text: method) }
        for header in headers ?? [] { try options.addHeader(name: header.name, value: header.value) }
        for cookie in cookies ?? [] { options.cookies.append(try Cookie(name: cookie.name, value: cookie.value)) }
        if let cookieJar { options.cookieJar = try WireCheck.path(cookieJar, "cookieJar") }
        options.credential = login
        options.usesNetrc = usesNetrc ?? options.usesNetrc
        if let cachePolicy { options.cachePolicy = try WireCheck.word(cachePolicy, "cachePolicy") }
    }

    private func setTimes(_ options: inout TransferOptions) throws(TransferError) {
        options.connectTimeout = try WireCheck.seconds(connectTimeout, "connectTimeout")
        options.requestTimeout = try WireCheck.seconds(requestTimeout, "requestTimeout")
        options.resourceTimeout = try WireCheck.seconds(resourceTimeout, "resourceTimeout")
        options.retries = try WireCheck.number(retries, atLeast: 0, "retries")
        options.rateLimit = try WireCheck.number(rateLimit, atLeast: 1, "rateLimit")
        options.maximumRedirects = try WireCheck.number(maximumRedirects, atLeast: 0, "maximumRedirects")
        if let priority { options.priority = try WireCheck.priority(priority) }
    }

    /// Whom to believe, and who we are.
    private func setTrust(_ options: inout TransferOptions) throws(TransferError) {
        options.pins = pins ?? []
        for pin in certificatePins ?? [] { options.certificatePins.append(try WireCheck.certificatePin(pin)) }
        options.clientIdentity = try clientIdentity?.identity()
        if let certificateAuthorities {
            options.certificateAuthorities = try WireCheck.path(certificateAuthorities, "certificateAuthorities")
        }
    }

    /// Over which network, and how.
    private func setNetwork(_ options: inout TransferOptions) throws(TransferError) {
        if let httpVersion { options.httpVersion = try WireCheck.word(httpVersion, "httpVersion") }
        options.assumesHTTP3Capable = assumesHTTP3Capable ?? options.assumesHTTP3Capable
        if let interface { options.interface = try WireCheck.interface(interface) }
        if let multipath { options.multipath = try WireCheck.word(multipath, "multipath") }
        options.waitsForConnectivity = waitsForConnectivity
        options.allowsCellular = allowsCellular
        options.allowsExpensive = allowsExpensive
        options.allowsConstrained = allowsConstrained
        options.liftsRestrictions = liftsRestrictions ?? options.liftsRestrictions
        options.allowsDowngrade = allowsDowngrade
    }
}
