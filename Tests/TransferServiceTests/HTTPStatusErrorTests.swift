// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import TransferService

@Suite struct HTTPStatusErrorTests {
    /// What a 401 demands, whatever it says besides.
    @Test(
        arguments: [
            (["Basic realm=\"r\""], nil, ""),
            (["Bearer realm=\"r\""], .bearerToken, ": the server wants a bearer token in the Authorization header"),
            (["Bearer error=\"invalid_token\""], .otherBearerToken, ": the server does not accept the bearer token"),
            (["Bearer error_description=\"It is over.\""], .bearerToken, ": It is over."),
            (["Bearer realm=\"r\"", "Basic realm=\"r\""], .loginOrBearerToken, ""),
            (["Basic realm=\"r\", Bearer"], .loginOrBearerToken, ""),
            (
                ["Bearer error=\"invalid_token\"", "Basic realm=\"r\""], .otherBearerToken,
                ": the server does not accept the bearer token"
            ),
        ] as [([String], TransferError.Demand?, String)])
    func aDemandForAToken(challenges: [String], demand: TransferError.Demand?, end: String) throws {
        var head = HTTPResponse(status: .unauthorized)
        for challenge in challenges { head.headerFields.append(HTTPField(name: .wwwAuthenticate, value: challenge)) }
        let url = try TransferURL("http://h/")
        let error = try #require(HTTPStatusError.make(head, from: url))
        #expect(error.fields.refusal?.demand == demand)
        #expect(error.message == "h: returned 401 Unauthorized\(end)")
        let said = try #require(HTTPStatusError.make(head, from: url, body: Array("no token".utf8)))
        #expect(said.fields.refusal?.demand == demand)
        #expect(said.message == "h: returned 401 Unauthorized: no token")
    }
}
