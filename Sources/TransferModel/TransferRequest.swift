// SPDX-License-Identifier: MIT

public import HTTPTypes

/// One request as a session takes it: the address, the method and everything the user said about the transfer.
public struct TransferRequest: Sendable, Hashable {
    public var url: TransferURL
    public var method: HTTPRequest.Method
    public var options: TransferOptions
    /// Whether a data task asks for a compressed body and gets it decoded; `nil`: as its session does. Without effect
    /// on files.
    public var decodesBody: Bool?

    /// `options.method`, where set, overrides `method`.
    public init(url: TransferURL, method: HTTPRequest.Method = .get, options: TransferOptions = .init()) {
        self.url = url
        self.method = options.method ?? method
        self.options = options
    }
}
