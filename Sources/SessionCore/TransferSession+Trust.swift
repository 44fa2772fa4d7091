// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// A session's logins and accepted certificates.
extension TransferSession {
    /// Stores the credential of a challenge as its persistence states. From any thread.
    func remember(_ disposition: ChallengeDisposition, for challenge: AuthenticationChallenge) {
        guard case .useCredential(let credential?) = disposition else { return }
        let space = challenge.protectionSpace
        switch credential {
        case .password(let credential, let persistence):
            try? configuration.credentialStorage?.set(credential, for: space, persistence: persistence)
        case .trust(let persistence): remember(challenge, persistence)
        case .clientIdentity(let identity):
            post { $0.identities[Self.key(space.host, space.port)] = identity }
        case .bearer: break
        }
    }

    private func remember(_ challenge: AuthenticationChallenge, _ persistence: CredentialPersistence) {
        guard let trust = challenge.serverTrust, let leaf = trust.chain.first, persistence != .none else { return }
        guard trust.failure != nil else {
            return post { $0.approvedLeaves[Self.key(trust.host, trust.port), default: []].insert(leaf.sha256) }
        }
        guard let key = leaf.publicKeySHA256.flatMap(Fingerprint.init),
            let trusted = try? TrustedKey(
                host: trust.host, port: trust.port, publicKey: key, certificate: Fingerprint(leaf.sha256),
                accepted: Int64(scheduler.wallNow), subject: leaf.subject)
        else { return }
        try? configuration.trustStore?.accept(
            trusted, persistence: persistence == .permanent ? .permanent : .forSession)
    }

    /// Certificates of this host that the delegate has accepted.
    func approvedLeaves(for url: TransferURL) -> Set<[UInt8]> {
        core.assumeIsolated { $0.approvedLeaves[Self.key(url.host, url.port)] ?? [] }
    }

    /// The key that the user accepted for this host although the system rejects its certificate.
    func exception(for url: TransferURL) -> [UInt8]? {
        configuration.trustStore?.newestKey(host: url.host, port: url.port)?.bytes
    }

    func identity(for url: TransferURL) -> ClientIdentity? {
        core.assumeIsolated { $0.identities[Self.key(url.host, url.port)] }
    }

    private static func key(_ host: String, _ port: Int) -> String { "\(host):\(port)" }
}
