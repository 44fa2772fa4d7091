// SPDX-License-Identifier: MIT

/// Whether a connection may use several paths at once (Multipath TCP, RFC 8684), as
/// `URLSessionConfiguration.MultipathServiceType`.
///
/// All but `none` ask the kernel for the same: which path carries what, and when another one joins, its path manager
/// decides (`ip mptcp`). A server or a kernel without it is spoken to by plain TCP.
public enum MultipathServiceType: String, Sendable, Hashable, Codable, CaseIterable {
    case none
    /// The transfer outlives the loss of one path.
    case handover
    case interactive
    case aggregate
}
