// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import HTTPTypes
public import TransferModel

extension TransferURL {
    /// - Throws: code `malformedURL` for a URL that is no absolute one of `http` or `https`.
    public init(_ url: URL) throws(TransferError) { try self.init(url.absoluteString) }
}

extension URL {
    /// Without the user information of `url`.
    public init?(_ url: TransferURL) { self.init(string: url.string) }
}

extension TransferRequest {
    /// As `init(url:method:options:)` with a ``TransferURL``.
    /// - Throws: as ``TransferURL/init(_:)``.
    public init(
        url: URL, method: HTTPRequest.Method = .get, options: TransferOptions = .init()
    ) throws(TransferError) {
        self.init(url: try TransferURL(url), method: method, options: options)
    }
}

extension TransferError: LocalizedError {
    /// ``message``
    public var errorDescription: String? { message }
}
