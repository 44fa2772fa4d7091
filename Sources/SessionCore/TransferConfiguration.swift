// SPDX-License-Identifier: MIT

public import HTTPTypes

/// What all tasks of a session share. Copied when the session is made; a request's own options go before it.
public struct TransferConfiguration: Sendable {
    /// Seconds for name, connection and TLS together.
    public var connectTimeout: Double = 30
    /// Seconds in which no byte moved, either way.
    public var requestTimeout: Double = 60
    /// Seconds for a whole task; seven days.
    public var resourceTimeout: Double = 7 * 86_400
    public var maximumRedirects = 20
    public var userAgent = "fileq/0.1"
    /// Added to every request; a request's own field of the same name replaces it.
    public var additionalFields = HTTPFields()
    /// Where downloads go that name no file. `nil`: `$TMPDIR`, else `/tmp`.
    public var temporaryFolder: String?

    public init() {}
}
