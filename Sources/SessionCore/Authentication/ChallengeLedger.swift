// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What one task has tried to get past 401 and 407, and what comes next. Pure.
struct ChallengeLedger: Sendable {
    /// The strongest first.
    private static let preference: [ProtectionSpace.Method] = [.negotiate, .ntlm, .digest, .bearer, .basic]

    private var failures: [ProtectionSpace: Int] = [:]
    private var rejected: Set<ProtectionSpace> = []

    /// The space to ask about for an answer that demands a login.
    ///
    /// - Parameters:
    ///   - server: whose answer it is; method and realm are taken from the answer.
    ///   - tried: how the exchange logged in that was answered so; counts as a failure of that method.
    ///   - supported: what the transport can do.
    /// - Returns: `nil` where the server offers nothing that can be done and was not rejected.
    mutating func next(for head: HTTPResponse, server: ProtectionSpace, tried: ProtectionSpace.Method?,
                       supported: Set<ProtectionSpace.Method>) -> ProtectionSpace? {
        let name: HTTPField.Name = server.isProxy ? .proxyAuthenticate : .wwwAuthenticate
        let offers = head.headerFields[values: name].flatMap(ChallengeHeader.parse).compactMap { offer -> ProtectionSpace? in
            guard let method = ProtectionSpace.Method(scheme: offer.scheme), supported.contains(method) else { return nil }
            var space = server
            space.method = method
            space.realm = offer.realm
            return space
        }
        if let tried, let space = offers.first(where: { $0.method == tried }) { failures[space, default: 0] += 1 }
        for method in Self.preference {
            if let space = offers.first(where: { $0.method == method && !rejected.contains($0) }) { return space }
        }
        return nil
    }

    func failureCount(_ space: ProtectionSpace) -> Int { failures[space] ?? 0 }

    mutating func reject(_ space: ProtectionSpace) { rejected.insert(space) }
}
