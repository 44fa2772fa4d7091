// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The authentication attempts of a task after 401 and 407, and the next step. No I/O.
struct ChallengeLedger: Sendable {
    /// The strongest first.
    private static let preference: [ProtectionSpace.Method] = [.negotiate, .ntlm, .digest, .bearer, .basic]

    private var failures: [ProtectionSpace: Int] = [:]
    private var rejected: Set<ProtectionSpace> = []

    /// The protection space of a response that requires a login.
    ///
    /// - Parameters:
    ///   - server: the origin of the response; method and realm come from the response.
    ///   - supported: the supported methods.
    /// - Returns: `nil` if the server offers no supported method that it has not rejected.
    func next(
        for head: HTTPResponse, server: ProtectionSpace, supported: Set<ProtectionSpace.Method>
    ) -> ProtectionSpace? {
        let offers = Self.offers(head, server)
        for method in Self.preference where supported.contains(method) {
            if let space = offers.first(where: { $0.method == method && !rejected.contains($0) }) { return space }
        }
        return nil
    }

    /// - Parameter tried: the method of the exchange that got `head`; counts as a failure of that method.
    mutating func note(_ tried: ProtectionSpace.Method?, failedFor head: HTTPResponse, server: ProtectionSpace) {
        guard let tried, let space = Self.offers(head, server).first(where: { $0.method == tried }) else { return }
        failures[space, default: 0] += 1
    }

    /// All methods that the server offers.
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
