// SPDX-License-Identifier: MIT

/// What a service has taken from its configuration file.
public struct ServiceConfiguration: Sendable, Hashable, Codable {
    public var file: String
    /// Seconds since 1970: when the file was changed that is in force; `nil` where there is none.
    public var modifiedAt: Double?
    /// Why a later version of the file is not in force, in one line; `nil` where there is none.
    public var problem: String?
    /// By event, such as `on-complete`: the program that is run, without its arguments, which may hold secrets.
    public var hooks: [String: String]
    /// Network interfaces of which the file says what they cost.
    public var interfaces: [String]

    public init(
        file: String, modifiedAt: Double? = nil, problem: String? = nil, hooks: [String: String] = [:],
        interfaces: [String] = []
    ) {
        self.file = file
        self.modifiedAt = modifiedAt
        self.problem = problem
        self.hooks = hooks
        self.interfaces = interfaces
    }
}
