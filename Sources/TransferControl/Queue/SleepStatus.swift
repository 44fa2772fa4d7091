// SPDX-License-Identifier: MIT

/// Whether the transfers of a service keep its machine from suspending.
package struct SleepStatus: Sendable, Hashable, Codable {
    /// Whether the configuration wants it.
    package var enabled: Bool
    /// Whether the machine is kept from suspending now.
    package var prevented: Bool
    /// Why it may suspend although transfers run, in one line; `nil` if it may not.
    package var problem: String?

    package init(enabled: Bool, prevented: Bool, problem: String? = nil) {
        self.enabled = enabled
        self.prevented = prevented
        self.problem = problem
    }
}
