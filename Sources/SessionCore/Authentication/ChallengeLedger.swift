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
    ///   - supported: what may be answered.
    /// - Returns: `nil` where the server offers nothing that can be done and was not rejected.
    func next(
        for head: HTTPResponse, server: ProtectionSpace, supported: Set<ProtectionSpace.Method>
    ) -> ProtectionSpace? {
        let offers = Self.offers(head, server)
        for method in Self.preference where supported.contains(method) {
            if let space = offers.first(where: { $0.method == method && !rejected.contains($0) }) { return space }
        }
        return nil
    }

    /// - Parameter tried: how the exchange logged in that was answered with `head`; counts as a failure of that method.
    mutating func note(_ tried: ProtectionSpace.Method?, failedFor head: HTTPResponse, server: ProtectionSpace) {
        guard let tried, let space = Self.offers(head, server).first(where: { $0.method == tried }) else { return }
        failures[space, default: 0] += 1
    }

    /// All that the server would take.
    private static func offers(_ head: HTTPResponse, _ server: ProtectionSpace) -> [ProtectionSpace] {
        let name: HTTPField.Name = server.isProxy ? .proxyAuthenticate : .wwwAuthenticate
        return head.headerFields[values: name].flatMap(ChallengeHeader.parse).compactMap { offer in
            guard let method = ProtectionSpace.Method(scheme: offer.scheme) else { return nil }
            var space = server
            space.method = method
            space.realm = offer.realm
            return space
        }
    }

    func failureCount(_ space: ProtectionSpace) -> Int { failures[space] ?? 0 }

    mutating func reject(_ space: ProtectionSpace) { rejected.insert(space) }
}
