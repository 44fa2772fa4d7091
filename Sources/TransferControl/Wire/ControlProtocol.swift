// SPDX-License-Identifier: MIT

/// Constants that client and server share. The specification is docs/Control.md.
package enum ControlProtocol {
    /// Raised when an older peer could no longer understand a newer one. New methods and new members of objects do not
    /// raise it: unknown ones are ignored.
    package static let version = 1

    /// Maximum bytes of a client's message, without the line end.
    package static let maximumRequest = 4 << 20
}

/// Messages that the server sends without a request.
enum ControlNotice {
    /// The first line of a connection.
    static let hello = "hello"
    /// A message of a subscription.
    static let update = "update"
}
