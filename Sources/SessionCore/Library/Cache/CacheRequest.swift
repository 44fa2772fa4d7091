// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// What a cache needs to know of a request.
public struct CacheRequest: Sendable, Hashable {
    public var url: TransferURL
    public var method: HTTPRequest.Method
    /// As they go out, without the fields that a ``CacheDecision`` adds.
    public var fields: HTTPFields
    public var hasBody: Bool
    /// Fields that the transport adds with values nobody above it sees: `Authorization` where it logs in, `Cookie`
    /// where it keeps a jar. An answer that depends on one of them is not stored.
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

    /// Whether a whole stored answer to a GET can stand for the answer to this request. One that brings its own
    /// conditions wants the server's word.
    var canBeAnsweredFromStore: Bool {
        method == .get && !hasBody && !Self.conditions.contains { fields.contains($0) }
    }

    var carriesLogin: Bool { fields.contains(.authorization) || hiddenFields.contains(.authorization) }
}
