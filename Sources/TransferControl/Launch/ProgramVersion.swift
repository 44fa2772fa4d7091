// SPDX-License-Identifier: MIT

/// The release that this code is of: what a service and its clients tell each other.
public enum ProgramVersion {
    public static let current = "0.1.0"
}
