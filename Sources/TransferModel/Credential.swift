// SPDX-License-Identifier: MIT

/// A user name and its secret. Prints without the secret.
public struct Credential: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Encoded as a secret too: services take tokens in its place.
    @Secret public var user: String
    @Secret public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    public var description: String { "\(user):(hidden)" }
}
