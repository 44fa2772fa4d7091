// SPDX-License-Identifier: MIT

import TransferModel

/// A ``TransferModel/ClientIdentity`` as it travels: paths, which the service reads, and the passphrase in clear.
struct WireIdentity: Sendable, Hashable, Codable {
    var certificate: String
    /// Absent: in the certificate's file.
    var key: String?
    var passphrase: String?
    /// Absent: as the certificate's name says.
    var format: String?

    init(_ identity: ClientIdentity) {
        certificate = identity.certificate
        key = identity.key
        passphrase = identity.passphrase?.value
        let usual = ClientIdentity(certificate: identity.certificate).format
        format = identity.format == usual ? nil : identity.format.rawValue
    }

    /// - Throws: code `usage`, naming the member; never its value.
    func identity() throws(TransferError) -> ClientIdentity {
        var known: ClientIdentity.Format?
        if let format { known = try WireCheck.word(format, "clientIdentity.format") }
        var file: String?
        if let key { file = try WireCheck.path(key, "clientIdentity.key") }
        return ClientIdentity(certificate: try WireCheck.path(certificate, "clientIdentity.certificate"), key: file,
                              passphrase: passphrase.map(Secret.init), format: known)
    }
}
