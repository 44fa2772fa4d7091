// SPDX-License-Identifier: MIT

extension TransferError {
    /// A response that is the failure: what is known of it beside ``Fields/host`` and ``Fields/status``. Each text is
    /// one line.
    package struct Refusal: Sendable, Hashable, Codable {
        /// The reason phrase; empty if there is none, as in HTTP/2.
        package var phrase: String
        /// What the server says of it, in its own words.
        package var reason: String?
        /// The server's demand beyond user name and password.
        package var demand: Demand?
        /// The proxy that made the response, by the name that it gives itself, and its error (RFC 9209).
        package var proxy: String?
        package var proxyError: String?
        /// The folder of an upload may be missing on the server.
        package var mayLackFolder: Bool?
        /// Where the user signs in to the network, whose page came in place of the server's response.
        package var portal: String?
        /// The failure came after the server had taken everything: only its verdict is missing.
        package var hasWholeBody: Bool?
        /// The attempts after which the transfer was given up.
        package var attempts: Int?
        /// Seconds for which the server asks to wait, if the wait is longer than the transfer would have chosen.
        package var retryAfter: Double?

        package init(phrase: String = "", reason: String? = nil, demand: Demand? = nil) {
            self.phrase = phrase
            self.reason = reason
            self.demand = demand
        }
    }

    /// A login that is not, or not only, by user name and password (RFC 6750, section 3).
    package struct Demand: RawRepresentable, Sendable, Hashable, Codable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let bearerToken = Self(rawValue: "bearerToken")
        /// The token that was sent is not valid.
        package static let otherBearerToken = Self(rawValue: "otherBearerToken")
        /// User name and password are accepted, too.
        package static let loginOrBearerToken = Self(rawValue: "loginOrBearerToken")
    }

    /// A response with a final status that is the failure.
    package init(_ code: Code, _ refusal: Refusal, host: String, status: Int) {
        var refusal = refusal
        // The server's name stands before it.
        if status == 407, !"\(refusal.phrase) \(refusal.reason ?? "")".lowercased().contains("proxy") {
            refusal.reason = "the proxy wants a valid login" + (refusal.reason.map { " (\($0))" } ?? "")
        }
        self.init(code, refusal.message(host: host, status: status), fields: Fields(host: host, status: status))
        fields.refusal = refusal
    }

    /// Adds to a response that is the failure what is known of it meanwhile; to a ``TransferProblem`` as well.
    /// - Parameter text: is appended to ``message``, also of any other failure.
    package mutating func amendRefusal(_ text: String, _ change: (inout Refusal) -> Void) {
        let known = fields
        message += text
        guard var refusal = known.refusal ?? known.problem.map({ _ in Refusal() }) else { return }
        change(&refusal)
        fields = known
        fields.refusal = refusal
    }

    /// The response is that of a captive portal, at which the user signs in.
    /// - Parameter requested: portals have the whole of it in the query of their own address: one that may hold secrets
    ///   stays there.
    package mutating func notePortal(_ page: TransferURL, for requested: TransferURL) {
        var address = page.replacingCredential(nil).displayString
        if requested.string.contains("?") { address = String(address.prefix { $0 != "?" }) }
        address = TextLine.first(of: address)
        amendRefusal(Refusal.signIn(address)) { $0.portal = address }
    }
}

extension TransferError.Refusal {
    /// What follows the cause: what was amended.
    package var amendments: String {
        var line = mayLackFolder == true ? "; the folder may not exist on the server" : ""
        if let portal { line += Self.signIn(portal) }
        if hasWholeBody == true { line += "; the server has taken the whole file" }
        if let attempts { line += " (given up after \(attempts) attempts)" }
        if let retryAfter { line += "; the server asks to wait \(Self.wait(retryAfter))" }
        return line
    }

    fileprivate static func signIn(_ portal: String) -> String { "; sign in to the network at \(portal)" }

    /// Seconds beyond which the length of a wait is not stated.
    package static let longestWait = 99 * 86_400.0

    /// A wait that the server asks for: `1d0h`.
    package static func wait(_ seconds: Double) -> String {
        seconds > longestWait ? "more than 99 days" : TimeSpan.short(seconds)
    }

    func message(host: String, status: Int) -> String { "\(host): returned \(status)\(said)" }

    /// What follows the status, with what separates it: the reason phrase, who made the response, and why.
    package var said: String {
        var line = phrase.isEmpty ? "" : " \(phrase)"
        if let proxy { line += " (made by a proxy on the way, \(proxy): \(proxyError ?? ""))" }
        if let reason = reason ?? demand.flatMap(Self.sentence) { line += ": \(reason)" }
        return line
    }

    private static func sentence(_ demand: TransferError.Demand) -> String? {
        switch demand {
        case .bearerToken: "the server wants a bearer token in the Authorization header"
        case .otherBearerToken: "the server does not accept the bearer token"
        default: nil
        }
    }
}
