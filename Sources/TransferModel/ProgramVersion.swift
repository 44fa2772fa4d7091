// SPDX-License-Identifier: MIT

/// The release of this code: the only place that names it.
public enum ProgramVersion {
    public static let current = "0.2.0"
}
