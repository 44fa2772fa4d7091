// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import TransferService

/// `http://host.test/files/a%20b` is uploaded by way of `http://host.test/u`.
@Suite struct FinalResponseTests {
    private static let stated = Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 7, count: 32))
    private static let page = Array("stored".utf8)

    private func response(
        _ status: Int, _ fields: HTTPFields, content: [UInt8] = [], targetIsFile: Bool = true
    ) throws -> FinalResponse {
        FinalResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: fields),
            url: try TransferURL("http://host.test/u"), content: content,
            target: try TransferURL("http://host.test/files/a%20b?key=1"), targetIsFile: targetIsFile,
            resource: "http://host.test/u")
    }

    @Test(
        arguments: [
            ([:], nil), ([.location: "/u"], "/u"), ([.contentLocation: "/x", .location: "/u"], "http://host.test/x"),
            ([.contentLocation: "x y"], "http://host.test/x%20y"), ([.contentLocation: "", .location: "/y"], "/y"),
            ([.contentLocation: "http://other.test/x", .location: "/y"], "/y"),
            ([.location: "../y"], "http://host.test/y"),
            ([.location: ""], nil), ([.contentLocation: "https://host.test/x"], nil),
            ([.contentLocation: "http://[x"], nil),
        ] as [(HTTPFields, String?)])
    func contentLocationIsThePlaceOfTheFile(_ fields: HTTPFields, _ place: String?) throws {
        #expect(try response(204, fields).place == place)
    }

    @Test(
        arguments: [
            (201, [:], true), (200, [:], false), (204, [:], false), (204, [.location: "/files/a%20b"], true),
            (200, [.location: "http://host.test:80/files/%61%20b"], true), (201, [.location: "/files/c"], false),
            (201, [.location: "http://other.test/files/a%20b"], false), (204, [.contentLocation: "files/a%20b"], true),
            (201, [.contentLocation: "/status/1", .location: "/files/a%20b"], false),
            (200, [.contentLocation: "/files/a%20b", .location: "/u"], true),
        ] as [(Int, HTTPFields, Bool)])
    func theDigestCountsIfTheResponseIsAboutTheFile(
        _ status: Int, _ fields: HTTPFields, _ counts: Bool
    ) throws {
        var fields = fields
        fields[.reprDigest] = ReprDigest(Self.stated).description
        let response = try response(status, fields)
        #expect(response.digest(.sha256) == (counts ? Self.stated : nil))
        #expect(response.digest(.sha512) == nil && response.digest(.sha1) == nil)
    }

    /// What a collection has stored has a name of its own; the upload resource is not the file.
    @Test(arguments: [("/files/new", true), ("/u", false)])
    func collectionsNameTheFile(_ place: String, _ counts: Bool) throws {
        for name in [HTTPField.Name.location, .contentLocation] {
            let fields: HTTPFields = [name: place, .reprDigest: ReprDigest(Self.stated).description]
            #expect(try response(204, fields, targetIsFile: false).digest(.sha256) == (counts ? Self.stated : nil))
        }
    }

    @Test func theDigestOfTheBodyIsNotThatOfTheFile() throws {
        let body = Checksum(algorithm: .sha256, bytes: FileDigest.compute(.sha256, of: Self.page))
        var fields: HTTPFields = [.location: "/files/a%20b", .reprDigest: ReprDigest(body).description]
        #expect(try response(201, fields, content: Self.page).digest(.sha256) == nil)
        #expect(try response(201, fields, content: [1]).digest(.sha256) == body)
        // A long body is not known in full.
        let long = [UInt8](repeating: 1, count: ServerReason.limit)
        #expect(try response(201, fields, content: long).digest(.sha256) == nil)
        fields[.contentLocation] = "/files/a%20b"
        #expect(try response(201, fields, content: Self.page).digest(.sha256) == body)
    }

    @Test(arguments: ["", "md5=:AAAA:", "sha-256=:AAAA:", "sha-256"]) func otherTextIsNoDigest(_ text: String) throws {
        let fields: HTTPFields = [.location: "/files/a%20b", .reprDigest: text]
        #expect(try response(201, fields).digest(.sha256) == nil)
    }
}
