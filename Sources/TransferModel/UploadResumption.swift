// SPDX-License-Identifier: MIT

/// The protocol by which an interrupted upload may continue.
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
