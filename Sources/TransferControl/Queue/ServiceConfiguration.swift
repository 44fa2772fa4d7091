// SPDX-License-Identifier: MIT

/// The configuration that a service has loaded.
package struct ServiceConfiguration: Sendable, Hashable, Codable {
    package var file: String
    /// Seconds since 1970: modification time of the file in force; `nil` if there is none.
    package var modifiedAt: Double?
    /// Why a later version of the file is not in force, in one line; `nil` if it is.
    package var problem: String?
    /// The program of each hook by event, such as `on-complete`, without its arguments, which may contain secrets.
    package var hooks: [String: String]
    /// Network interfaces with configured traits.
    package var interfaces: [String]

    /// Where the remote control accepts calls; `nil` if it does not.
    package var remoteURL: String?
    /// Why it does not although it is enabled, in one line.
    package var remoteProblem: String?
    /// `nil` from an older service.
    package var sleep: SleepStatus?

    package init(
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
