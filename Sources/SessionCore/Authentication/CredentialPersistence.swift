// SPDX-License-Identifier: MIT

/// How long a credential is stored after use.
public enum CredentialPersistence: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not at all: for the requesting task only.
    case none
    /// In memory, as long as the storage exists.
    case forSession = "for-session"
    /// In the storage's file, for later runs.
    case permanent
}
