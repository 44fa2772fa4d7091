// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Testing
import TransferControl
import TransferModel

@testable import TransferService

struct RecentHeadsTests {
    @Test func secretsStayHere() throws {
        var options = TransferOptions()
        let names = ["Accept", "Authorization", "X-Whatever", "Range", "Cookie"]
        options.headers = try names.map { HTTPField(name: try #require(HTTPField.Name($0)), value: "hush \($0)") }
        let request = TransferRequest(
            url: try TransferURL("https://a.example/x?X-Amz-Signature=hush&page=2"), method: .get, options: options)
        var response = HTTPResponse(status: .unauthorized)
        let received = [
            "Content-Type": "text/html", "Set-Cookie": "id=hush", "X-Api-Key": "hush", "Authentication-Info": "hush",
            "WWW-Authenticate": "Basic realm=\"staff\"", "Location": "/login?token=hush&page=3", "Via": "1.1 a",
        ]
        for (name, value) in received { response.headerFields[try #require(HTTPField.Name(name))] = value }
        let heads = TransferHeads(request, response)
        #expect(heads.method == "GET" && heads.status == 401 && heads.request.map(\.name) == names)
        #expect(heads.request.map(\.value) == ["hush Accept", nil, nil, "hush Range", nil])
        let values = Dictionary(uniqueKeysWithValues: heads.response.map { ($0.name, $0.value) })
        #expect(values.count == received.count && values["Via"] == "1.1 a" && values["Content-Type"] == "text/html")
        #expect(values["WWW-Authenticate"] == "Basic realm=\"staff\"")
        #expect(values["Location"]??.hasPrefix("/login?token=") == true)
        for name in ["Set-Cookie", "X-Api-Key", "Authentication-Info"] { #expect(values[name] == .some(nil)) }
        #expect(!heads.url.contains("hush") && heads.url.hasSuffix("&page=2"))
        #expect(!heads.response.contains { $0.value?.contains("hush") == true })
    }

    /// What a resumable upload says of its bytes.
    @Test(arguments: [
        ("Upload-Length", true), ("Upload-Offset", true), ("Upload-Complete", true), ("Upload-Incomplete", true),
        ("Upload-Draft-Interop-Version", true), ("Upload-Defer-Length", true), ("Tus-Resumable", true),
        ("Content-Digest", true), ("Repr-Digest", true), ("Upload-Checksum", true),
        // Of the user, and an address that may be a key.
        ("Upload-Metadata", false), ("Upload-Concat", false), ("Upload-Key", false),
    ])
    func fieldsOfUploadsAreNoSecrets(_ name: String, _ isShown: Bool) throws {
        var options = TransferOptions()
        options.headers = [HTTPField(name: try #require(HTTPField.Name(name)), value: "17")]
        let url = try TransferURL("https://a.example/files/7")
        let heads = TransferHeads(TransferRequest(url: url, method: .patch, options: options), nil)
        #expect(heads.request.map(\.value) == [isShown ? "17" : nil])
    }

    @Test func theOldestMakeRoom() {
        var heads = RecentHeads()
        func id(_ number: Int) -> TransferID { TransferID(rawValue: number) }
        for number in 1...RecentHeads.maximum {
            heads.note(TransferHeads(method: "GET", url: "\(number)", request: []), of: id(number))
        }
        heads.note(TransferHeads(method: "PUT", url: "again", request: []), of: id(1))
        heads.note(TransferHeads(method: "GET", url: "new", request: []), of: id(1000))
        #expect(heads[id(2)] == nil && heads[id(1)]?.method == "PUT" && heads[id(1000)] != nil && heads[id(3)] != nil)
    }
}
