// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// A request, as far as a cache is concerned.
public struct CacheRequest: Sendable, Hashable {
    public var url: TransferURL
    public var method: HTTPRequest.Method
    /// As sent, without the fields of a ``CacheDecision``.
    public var fields: HTTPFields
    public var hasBody: Bool
    /// Fields added by the transport with unknown values: `Authorization` for a login, `Cookie` for a jar. A response
    /// that varies by one of them is not stored.
    public var hiddenFields: Set<HTTPField.Name>

    public init(
        url: TransferURL, method: HTTPRequest.Method = .get, fields: HTTPFields = [:], hasBody: Bool = false,
        hiddenFields: Set<HTTPField.Name> = []
    ) {
        self.url = url
        self.method = method
        self.fields = fields
        self.hasBody = hasBody
        self.hiddenFields = hiddenFields
    }

    private static let conditions: [HTTPField.Name] = [
        .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince, .range,
    ]

    /// Whether a complete stored response to a GET can be the response to this request. One with its own conditions
    /// must go to the server.
    var canBeAnsweredFromStore: Bool {
        method == .get && !hasBody && !Self.conditions.contains { fields.contains($0) }
    }

    var carriesLogin: Bool { fields.contains(.authorization) || hiddenFields.contains(.authorization) }
}
