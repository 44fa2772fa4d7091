// SPDX-License-Identifier: MIT

public import TransferModel

/// The proxy for a URL. No I/O.
public struct ProxyPolicy: Sendable, Equatable {
    public enum Configuration: Sendable, Equatable {
        /// The variables of an environment, as curl reads them: `http_proxy` for `http` (lower case only: CGI servers
        /// set the other from a request's field), `https_proxy` or `HTTPS_PROXY` for `https`, else `all_proxy` or
        /// `ALL_PROXY`; `no_proxy` or `NO_PROXY` for exceptions. An empty one counts as absent.
        case environment([String: String])
        /// No proxy for any host.
        case none
        /// - bypass: hosts without proxy, each as ``ProxyBypass`` parses it.
        case servers(http: ProxyServer?, https: ProxyServer?, bypass: [String])
    }

    private enum Choice: Sendable, Equatable {
        case direct
        case through(ProxyServer)
        case invalid(TransferError)
    }

    private let http: Choice
    private let https: Choice
    private let bypass: ProxyBypass

    public init(_ configuration: Configuration) {
        switch configuration {
        case .none: (http, https, bypass) = (.direct, .direct, ProxyBypass([]))
        case .servers(let http, let https, let names):
            self.http = http.map(Choice.through) ?? .direct
            self.https = https.map(Choice.through) ?? .direct
            bypass = ProxyBypass(names)
        case .environment(let variables):
            http = Self.choice(["http_proxy", "all_proxy", "ALL_PROXY"], variables)
            https = Self.choice(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], variables)
            bypass = ProxyBypass(
                ["no_proxy", "NO_PROXY"].lazy.compactMap { variables[$0] }.filter { !$0.isEmpty }.prefix(1))
        }
    }

    /// `nil`: none.
    /// - Throws: code `usage` if the environment's proxy for this URL is invalid; the message names the variable.
    package func server(for url: TransferURL) throws(TransferError) -> ProxyServer? {
        let choice = url.isSecure ? https : http
        if choice == .direct || bypass.contains(host: url.host, port: url.port) { return nil }
        switch choice {
        case .direct: return nil
        case .through(let server): return server
        case .invalid(let error): throw error
        }
    }

    private static func choice(_ names: [String], _ variables: [String: String]) -> Choice {
        for name in names {
            guard let value = variables[name], !value.isEmpty else { continue }
            do throws(TransferError) {
                return .through(try ProxyServer(parsing: value))
            } catch {
                guard let problem = NestedProblem(error.fields.local, of: "proxy") else { return .invalid(error) }
                return .invalid(
                    TransferError(.usage, .proxyVariable, name, problem, fields: .init(variant: .invalidVariable)))
            }
        }
        return .direct
    }
}
