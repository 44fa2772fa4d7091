// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// Until when a server keeps an upload.
@Suite struct UploadExpiryTests {
    private static let date = "Thu, 01 Jan 1970 00:30:00 GMT"
    private static let later = "Thu, 01 Jan 1970 01:00:00 GMT"

    /// Received at second 1000. A clock that differs from the server's does not matter.
    @Test(
        arguments: [
            (.ietf(.v8), [.uploadLimit: "max-age=60"], 1060), (.ietf(.v6), [.uploadLimit: "expires=60"], 1060),
            (.ietf(.v8), [.uploadLimit: "min-size=0"], nil), (.ietf(.v8), [.uploadLimit: "max-age=?1"], nil),
            (.ietf(.v8), [.uploadExpires: later], nil), (.tus, [.uploadExpires: later], 3600),
            (.tus, [.uploadExpires: later, .date: date], 2800), (.tus, [.uploadExpires: "soon"], nil),
            (.tus, [.uploadLimit: "max-age=60"], nil), (.tus, [:], nil),
        ] as [(UploadCarrier, HTTPFields, Double?)])
    func serversStateIt(_ carrier: UploadCarrier, _ fields: HTTPFields, _ expires: Double?) {
        var talk = Talk(.auto, point: 1_000_000, carrier)
        _ = talk.begin()
        var all = fields
        all[.uploadOffset] = "1000000"
        #expect(talk.says(200, all, at: 1000).hasPrefix("PATCH"))
        #expect(talk.machine.point?.expires == expires)
    }

    /// The last statement counts; a response without one changes nothing.
    @Test func itIsKeptAndReplaced() {
        var talk = Talk(.auto, point: 0)
        let (offset, limit) = (HTTPField.Name.uploadOffset, HTTPField.Name.uploadLimit)
        _ = talk.begin()
        _ = talk.says(204, [offset: "0", limit: "max-age=60, max-append-size=1000000"], at: 1000)
        _ = talk.says(204, [offset: "1000000", .uploadComplete: "?0"], at: 1010)
        #expect(talk.machine.point?.expires == 1060)
        _ = talk.says(204, [offset: "2000000", .uploadComplete: "?0", limit: "max-age=60"], at: 1020)
        #expect(talk.machine.point?.expires == 1080)
    }
}
