// SPDX-License-Identifier: MIT

import NIOHTTP1
import TransferModel

/// Which requests reach the queue. aria2 itself checks neither `Host` nor `Origin`, so that any page which a user
/// visits can drive it.
struct RequestGate: Sendable {
    struct Refusal: Error, Equatable {
        var status: HTTPResponseStatus
        var text: String
    }

    static let path = "/jsonrpc"

    let settings: RemoteSettings

    /// Every request, before its method and its body.
    func check(_ head: HTTPRequestHead) throws(Refusal) {
        let hosts = head.headers["Host"]
        guard hosts.count == 1, let host = RequestHost(hosts[0]) else {
            throw Refusal(status: .badRequest, text: "Host is not a name or address")
        }
        // Another name may be one of a page that lets it resolve to this address (DNS rebinding).
        guard RequestHost.isAddress(host.name) || RequestHost.isLocalName(host.name) || isName(host.name) else {
            throw Refusal(
                status: .misdirectedRequest, text: "Host is no name of this server; names in [rpc] adds some")
        }
        // Some programs send the address itself, where no page is.
        let own = ["http://", "https://"].map { $0 + hosts[0] }
        guard head.headers["Origin"].allSatisfy({ own.contains($0) || allows(origin: $0) }) else {
            throw Refusal(status: .forbidden, text: "this page may not call; origins in [rpc] adds some")
        }
        guard head.uri.prefix(while: { $0 != "?" }) == Self.path else {
            throw Refusal(status: .notFound, text: "the address is \(Self.path)")
        }
    }

    private func isName(_ name: String) -> Bool { settings.names.contains { $0.lowercased() == name } }

    /// - Parameter origin: as a browser sends it. Only extensions can send their own schemes.
    func allows(origin: String) -> Bool {
        ["chrome-extension://", "moz-extension://"].contains(where: origin.hasPrefix)
            || settings.origins.contains(origin)
    }

    /// What lets a browser pass the response to a page (Fetch, section 3.2).
    func sharing(_ head: HTTPRequestHead) -> HTTPHeaders {
        var headers: HTTPHeaders = ["Vary": "Origin"]
        guard let origin = head.headers["Origin"].first, allows(origin: origin) else { return headers }
        headers.add(name: "Access-Control-Allow-Origin", value: origin)
        guard head.method == .OPTIONS else { return headers }
        headers.add(name: "Access-Control-Allow-Methods", value: "POST, OPTIONS")
        headers.add(name: "Access-Control-Allow-Headers", value: "Content-Type")
        headers.add(name: "Access-Control-Max-Age", value: "86400")
        if head.headers.contains(name: "Access-Control-Request-Private-Network") {
            headers.add(name: "Access-Control-Allow-Private-Network", value: "true")
        }
        return headers
    }
}
