// SPDX-License-Identifier: MIT

/// What both ends of a control connection agree on. The specification is docs/Control.md.
public enum ControlProtocol {
    /// Raised when an older end could no longer understand a newer one. New methods and new members of objects leave it
    /// as it is: what is not known is ignored.
    public static let version = 1

    /// Bytes of one message from a client, at most, without the line's end.
    public static let maximumRequest = 4 << 20
}

/// Messages that the server sends without a request.
enum ControlNotice {
    /// The first line of a connection.
    static let hello = "hello"
    /// One message of a subscription.
    static let update = "update"
}
