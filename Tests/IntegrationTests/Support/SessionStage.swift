// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import HTTPTypes
import SessionCore
import Testing
import TransferModel

/// Sessions in the test's own process. Proxies belong to a whole process, so those are tested with the program.
enum Sessions {
    /// A session with a transport of its own that knows nothing of this machine's surroundings.
    static func make(_ configuration: TransferConfiguration = .init()) throws -> TransferSession {
        let surroundings = CurlTransport.Configuration()
        var configuration = configuration
        configuration.netrcFile = "/dev/null"
        configuration.cookieJars = CookieJars(publicSuffixes: SystemPublicSuffixes.shared)
        return TransferSession(configuration: configuration, transport: try CurlTransport(configuration: surroundings))
    }

    static func request(
        _ url: String, _ method: HTTPRequest.Method = .get, _ change: (inout TransferOptions) -> Void = { _ in }
    )
        throws -> TransferRequest
    {
        var options = TransferOptions()
        change(&options)
        return TransferRequest(url: try TransferURL(url), method: method, options: options)
    }
}

extension TransferSession.Response {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as httpbin's JSON.
    func json() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(body)) as? [String: Any], "\(text)")
    }
}
