// SPDX-License-Identifier: MIT

/// The release of this code: the only place that names it.
package enum ProgramVersion {
    package static let current = "0.2.0"
}
