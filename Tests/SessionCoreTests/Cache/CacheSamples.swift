// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import TransferModel

/// Requests and answers as the tests of the cache need them.
enum CacheSamples {
    /// Tue, 14 Nov 2023 22:13:20 GMT
    static let start: Int64 = 1_700_000_000
    static let date = HTTPDate.format(start)

    static func fields(_ pairs: [(String, String)]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs {
            guard let name = HTTPField.Name(name) else { throw TransferError(.other, "no field name: \(name)") }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    static func request(
        _ pairs: [(String, String)] = [], method: HTTPRequest.Method = .get, hidden: Set<HTTPField.Name> = [],
        url: String = "http://a.test/one"
    ) throws -> CacheRequest {
        CacheRequest(url: try TransferURL(url), method: method, fields: try fields(pairs), hiddenFields: hidden)
    }

    static func head(_ status: Int = 200, _ pairs: [(String, String)] = []) throws -> HTTPResponse {
        HTTPResponse(status: .init(code: status), headerFields: try fields(pairs))
    }

    /// Asked for and received at `start`.
    static func stored(
        _ pairs: [(String, String)], for request: CacheRequest? = nil, body: [UInt8] = [1, 2, 3],
        status: Int = 200
    ) throws -> CachedResponse {
        CachedResponse(
            answering: try request ?? Self.request(), head: try head(status, pairs), body: body, requestTime: start,
            storedTime: start)
    }
}
