// SPDX-License-Identifier: MIT

/// A word that opens something: a token, a passphrase. Prints without it.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    public let value: String

    public init(_ value: String) { self.value = value }

    public var description: String { "(hidden)" }
    public var debugDescription: String { description }
}
