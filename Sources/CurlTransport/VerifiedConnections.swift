// SPDX-License-Identifier: MIT

import TransferModel

/// The chains of open connections, for exchanges that reuse them: libcurl provides a chain only with the handshake.
/// Used on the engine's thread only.
final class VerifiedConnections {
    private var chains: [ConnectionKey: (chain: [CertificateSummary], lastUse: UInt64)] = [:]
    private var uses: UInt64 = 0
    /// Far more than libcurl's open connections. Evicts the least recently used; if that is still open, the next
    /// exchange on it fails instead of trusting it.
    private static let limit = 2048

    func note(_ chain: [CertificateSummary], of key: ConnectionKey) {
        uses += 1
        chains[key] = (chain, uses)
        guard chains.count > Self.limit, let oldest = chains.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return
        }
        chains[oldest.key] = nil
    }

    func chain(of key: ConnectionKey) -> [CertificateSummary]? {
        guard let known = chains[key] else { return nil }
        uses += 1
        chains[key] = (known.chain, uses)
        return known.chain
    }
}
