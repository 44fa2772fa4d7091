// SPDX-License-Identifier: MIT

public import HTTPTypes

/// One request for a session: the URL, the method and the user's options.
public struct TransferRequest: Sendable, Hashable {
    public var url: TransferURL
    public var method: HTTPRequest.Method
    public var options: TransferOptions
    /// Whether a data task asks for a compressed body and gets it decoded; `nil`: as its session does. Without effect
    /// on files.
    public var decodesBody: Bool?
    /// The method is not idempotent, and may use a connection that was used before all the same: a failure shows
    /// whether the server may have some of the body.
    package var reusesConnection = false
    /// The connection is closed after the response.
    package var closesConnection = false

    /// A redirect to another origin is refused.
    package var staysAtOrigin = false

    /// `options.method`, where set, overrides `method`.
    public init(url: TransferURL, method: HTTPRequest.Method = .get, options: TransferOptions = .init()) {
        self.url = url
        self.method = options.method ?? method
        self.options = options
    }
}
