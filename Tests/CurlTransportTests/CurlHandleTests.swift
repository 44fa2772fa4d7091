// SPDX-License-Identifier: MIT

import CCurl
@testable import CurlTransport
import SessionCore
import Testing

/// libcurl copies the text of an option, and may find no memory for it.
@Suite struct CurlHandleTests {
    @Test func reportsAnOptionWithoutMemory() throws {
        let handle = try #require(CurlHandle())
        handle.set(CURLOPT_URL, "http://host.test/")
        try handle.checkOptions()
        handle.note(CURLE_OUT_OF_MEMORY)
        handle.note(CURLE_OK)
        #expect(throws: ExchangeFailure.outOfMemory) { try handle.checkOptions() }
        handle.reset()
        try handle.checkOptions()
    }

    @Test func leavesOutWhatThisLibraryLacks() throws {
        let handle = try #require(CurlHandle())
        handle.set(CURLoption(rawValue: 9_999), 1)
        try handle.checkOptions()
    }

    /// Its request might be that of another file.
    @Test func aSlotWithoutAddressDoesNotBegin() throws {
        let handle = try #require(CurlHandle())
        let slot = PlainSlot(handle: handle) { _ in }
        #expect(slot.begin(PlainFetch(key: 1, url: "http://host.test/1"), at: (0, 0)))
        handle.note(CURLE_OUT_OF_MEMORY)
        #expect(!slot.begin(PlainFetch(key: 2, url: "http://host.test/2"), at: (0, 0)))
    }
}
