// SPDX-License-Identifier: MIT

/// In JSON a text, with user information in plain (``SecretCoding/plain``). Elsewhere an address with user information
/// is an object: `address`, and `user` and `password`, which are secrets both.
extension TransferURL: Codable {
    private enum Key: CodingKey { case address, user, password }

    /// - Throws: a ``TransferError`` for what is no address.
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            try self.init(text)
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        let address = try TransferURL(try container.decode(String.self, forKey: .address))
        self = address.replacingCredential(
            Credential(
                user: try container.decode(Secret.self, forKey: .user).value,
                password: try container.decode(Secret.self, forKey: .password).value))
    }

    public func encode(to encoder: any Encoder) throws {
        var isPlain = false
        if case .plain? = encoder.userInfo[.secrets] as? SecretCoding { isPlain = true }
        guard let credential, !isPlain else {
            var container = encoder.singleValueContainer()
            try container.encode(withUserInformation)
            return
        }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(string, forKey: .address)
        try container.encode(Secret(credential.user), forKey: .user)
        try container.encode(Secret(credential.password), forKey: .password)
    }

    /// What ``init(_:)`` reads as the same address with the same ``credential``.
    private var withUserInformation: String {
        guard let credential else { return string }
        let user = "\(PercentCoding.encode(credential.user)):\(PercentCoding.encode(credential.password))@"
        return "\(scheme)://\(user)\(string.dropFirst(scheme.count + 3))"
    }
}
