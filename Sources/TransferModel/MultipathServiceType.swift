// SPDX-License-Identifier: MIT

/// Whether a connection may use several paths at once (Multipath TCP, RFC 8684), as
/// `URLSessionConfiguration.MultipathServiceType`.
///
/// All except `none` are the same for the kernel: its path manager (`ip mptcp`) chooses the paths. Plain TCP is used if
/// server or kernel lack support.
public enum MultipathServiceType: String, Sendable, Hashable, Codable, CaseIterable {
    case none
    /// The transfer outlives the loss of one path.
    case handover
    case interactive
    case aggregate
}
