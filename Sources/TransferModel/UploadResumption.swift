// SPDX-License-Identifier: MIT

/// By which protocol an upload may continue after an interruption.
public enum UploadResumption: String, Sendable, Hashable, Codable, CaseIterable {
    /// None: an interrupted upload is sent again from its first byte.
    case never
    /// The protocol that the server announces; small files are sent plainly.
    case auto
    /// "Resumable Uploads for HTTP" (IETF draft).
    case ietf
    /// tus 1.0.
    case tus
}

extension Usual {
    public enum Resumption: UsualValue { public static var value: UploadResumption { .never } }
}
