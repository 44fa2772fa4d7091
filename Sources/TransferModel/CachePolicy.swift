// SPDX-License-Identifier: MIT

/// Whether a request may be answered from what is stored: the cases of `URLRequest.CachePolicy`.
///
/// No policy keeps a new response from being stored; that is up to the response (RFC 9111, section 3).
public enum CachePolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// As the request's and the stored response's own fields say (RFC 9111): use, ask whether it still holds, or load.
    case useProtocolCachePolicy
    /// Load; what is stored is neither used nor asked about.
    case reloadIgnoringLocalCacheData
    /// Use a stored response only after the origin has confirmed it; load if none is stored or the origin cannot be
    /// reached.
    case reloadRevalidatingCacheData
    /// Use what is stored whatever its age; load where nothing is stored.
    case returnCacheDataElseLoad
    /// Use what is stored whatever its age; fail where nothing is stored. The network is not used.
    case returnCacheDataDontLoad
}
