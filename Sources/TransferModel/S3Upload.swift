// SPDX-License-Identifier: MIT

/// An upload to an S3 store: how its requests are signed. The object is the URL of the transfer.
package struct S3Upload: Sendable, Hashable, Codable {
    /// Part of every signature, such as `eu-central-1`.
    package var region: String
    /// `nil`: that of ``profile``, read when an attempt begins.
    package var credential: S3Credential?
    /// A profile of the credential file.
    package var profile: String?
    /// The absolute path of the credential file; `nil`: `~/.aws/credentials`.
    package var credentialFile: String?
    /// Bytes of a part, from 5 MiB on; `nil`: 8 MiB, or as many as 10,000 parts need.
    package var partSize: Int64?

    /// Bytes of all parts but the last.
    package static let smallestPart: Int64 = 5 << 20
    package static let largestPart: Int64 = 5 << 30

    package init(
        region: String, credential: S3Credential? = nil, profile: String? = nil, credentialFile: String? = nil,
        partSize: Int64? = nil
    ) {
        (self.region, self.credential, self.profile) = (region, credential, profile)
        (self.credentialFile, self.partSize) = (credentialFile, partSize)
    }
}

/// The keys that sign requests to S3. Prints without them.
package struct S3Credential: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Encoded as a secret too, as a user name is.
    @Secret package var accessKey: String
    @Secret package var secretKey: String
    /// Of temporary keys.
    package var sessionToken: Secret?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken.map { Secret($0) }
    }

    package var description: String { "(hidden)" }
}
