// SPDX-License-Identifier: MIT

/// How long a credential is kept after it was used.
public enum CredentialPersistence: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not at all: for the task that asked.
    case none
    /// In memory, until the storage goes.
    case forSession = "for-session"
    /// In the storage's file too, for this program's later runs.
    case permanent
}
