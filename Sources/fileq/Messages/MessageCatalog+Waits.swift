// SPDX-License-Identifier: MIT

import TransferModel

/// What a transfer waits for, and why a download starts from the first byte.
extension MessageCatalog {
    static func text(_ wait: PathWait) -> String {
        switch wait {
        case .obstacle(let obstacle): text(obstacle)
        case .notAllowed(let cost, let name):
            "only \(cost == .expensive ? "an" : "a") \(cost.rawValue) network (\(TextLine.first(of: name))) is up"
        case .costPending(let name): "asking whether \(TextLine.first(of: name)) is metered"
        case .silentResolver: "the name server does not respond"
        case .reported(let text, _): text
        }
    }

    private static func text(_ obstacle: PathObstacle) -> String {
        switch obstacle {
        case .noInterface: "no network interface is up"
        case .notConnected(let names) where names.count == 1: "\(list(names)) is not connected"
        case .notConnected(let names): "no network interface is connected (\(list(names)))"
        case .noAddress(let names) where names.count == 1: "\(list(names)) has no address"
        case .noAddress(let names): "no network interface has an address (\(list(names)))"
        case .noRoute(let host, nil): "no route to \(TextLine.first(of: host))"
        case .noRoute(let host, let name?):
            "no route to \(TextLine.first(of: host)): \(TextLine.first(of: name)) is down"
        case .routeDown(let host, let name, let isUp):
            "no route to \(TextLine.first(of: host)): \(TextLine.first(of: name)) is \(isUp ? "not connected" : "down")"
        case .interfaceMissing(let name): "interface \(TextLine.first(of: name)) does not exist"
        case .interfaceDown(let name): "interface \(TextLine.first(of: name)) is down"
        case .interfaceNotConnected(let name): "interface \(TextLine.first(of: name)) is not connected"
        case .noRouteThrough(let host, let name):
            "no route to \(TextLine.first(of: host)) through \(TextLine.first(of: name))"
        }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(4).map { TextLine.first(of: $0) }.joined(separator: ", ")
        return names.count > 4 ? "\(shown), …" : shown
    }

    static func text(_ cause: RestartCause) -> String {
        switch cause {
        case .changed: "the file changed on the server"
        case .unprovenVersion: "the server does not say of which version its bytes are"
        case .sizeChanged(let old, let new): "the file's size changed on the server from \(old) to \(new)"
        case .codingChanged: "the server changed the content coding"
        case .noRangesOrChanged: "the server does not allow resuming, or the file changed"
        case .noRanges: "the server sends no ranges"
        case .noBytes(let offset): "the server has no bytes from \(offset) on"
        case .malformedContentRange: "the server's Content-Range is missing or malformed"
        case .otherRange(let sent, let requested):
            "the server sent bytes from \(sent) instead of those from \(requested)"
        case .contradictingLengths: "the server's Content-Range and Content-Length disagree"
        case .unknownSize: "the server does not say how large the file is"
        case .otherAddress: "the bytes that are here came from another address"
        case .noValidator: "the bytes that are here cannot be resumed: their server gave no strong validator"
        case .notResumable: "the bytes that are here cannot be resumed"
        case .failure(let error): self.cause(of: error)
        }
    }
}
