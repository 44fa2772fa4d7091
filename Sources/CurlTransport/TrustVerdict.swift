// SPDX-License-Identifier: MIT

import CCurl
import SessionCore
import TransferModel

/// Checks a chain against an exchange's requirements. No I/O.
enum TrustVerdict {
    /// - Parameter chain: `nil` or empty if unreadable.
    /// - Returns: `nil` if the request may be sent.
    static func objection(_ exchange: Exchange, _ chain: [CertificateSummary]?) -> ExchangeFailure? {
        guard let chain, let leaf = chain.first else {
            return ExchangeFailure(.misconfigured(.certificateRefused), problem: .init(.certificateUnreadable))
        }
        let undecided = ExchangeFailure(
            .trustUndecided(ServerTrust(host: exchange.url.host, port: exchange.url.port, chain: chain)))
        let isPinned = exchange.certificatePins.isEmpty || exchange.certificatePins.contains(leaf.sha256)
        switch exchange.trust {
        case .capture: return undecided
        case _ where !isPinned: return ExchangeFailure(.certificatePinMismatch)
        case .system: return nil
        case .ask(let approved): return approved.contains(leaf.sha256) ? nil : undecided
        // libcurl has checked it, but not with every TLS library and version.
        case .exception(let key):
            return leaf.publicKeySHA256 == key ? nil : ExchangeFailure(CURLE_SSL_PINNEDPUBKEYNOTMATCH)
        }
    }
}
