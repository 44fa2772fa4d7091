// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

/// Messages as version 1 of the protocol has them: they are read, and the same are written.
@Suite struct GoldenMessageTests {
    static let terms = TransferTerms(
        paused: true, earliestBegin: 1_790_000_000, isDiscretionary: true, session: "nightly", taskDescription: "tag")

    static func relocation() throws -> Relocation {
        Relocation(
            url: try TransferURL("https://planted-user:planted%40password@host.test/new"),
            headers: [.init(name: "X-Key", value: "planted-key")],
            cookies: [try Cookie(name: "a", value: "planted-cookie")],
            credential: Credential(user: "me", password: "planted-password"), sid: "planted-sid",
            clientIdentity: ClientIdentity(
                certificate: "/c.pem", key: "/k.pem", passphrase: Secret("planted-passphrase")))
    }

    static func requests() throws -> [(name: String, call: any ControlCall)] {
        let login = QueueCommand.login(Credential(user: "me", password: "planted-password"), .always)
        return [
            ("add", try AddParams(try SampleTransfers.all(.one), terms: terms)),
            (
                "add-shared",
                try AddParams(
                    [try SampleTransfers.plainDownload(), try SampleTransfers.plainUpload()], terms: TransferTerms())
            ),
            ("relocate", RelocateCall(TransferID(rawValue: 2), to: try relocation())),
            ("login", PerformCall(login, on: [TransferID(rawValue: 2)])),
        ]
    }

    private static func read<Call: ControlCall>(_ name: String, as type: Call.Type) throws -> Call {
        try #require(try IncomingRequest.read(Golden.bytes("wire/\(name).json")).content.get() as? Call)
    }

    @Test func decodesTransfers() throws {
        let params = try Self.read("add", as: AddParams.self)
        #expect(params.transfers == (try SampleTransfers.all(.one)))
        #expect(params.terms == Self.terms)
    }

    @Test func decodesSharedOptions() throws {
        let params = try Self.read("add-shared", as: AddParams.self)
        #expect(params.transfers == [try SampleTransfers.plainDownload(), try SampleTransfers.plainUpload()])
    }

    @Test func decodesARelocation() throws {
        let params = try Self.read("relocate", as: RelocateCall.self)
        #expect(params.place == (try Self.relocation()))
    }

    @Test func everyMessageIsUnchanged() throws {
        for (name, call) in try Self.requests() {
            let line = try ControlCoding.line(OutgoingRequest(id: .number(1), call: call))
            #expect(
                JSONValue(String(decoding: line, as: UTF8.self)) == JSONValue(try Golden.text("wire/\(name).json")),
                "\(name)")
        }
    }
}
