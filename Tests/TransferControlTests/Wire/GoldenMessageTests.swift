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

    static func requests() throws -> [(name: String, request: ControlRequest)] {
        let login = QueueCommand.login(Credential(user: "me", password: "planted-password"), .always)
        return [
            ("add", .add(try AddParams(try SampleTransfers.all(.one), terms: terms))),
            (
                "add-shared",
                .add(
                    try AddParams(
                        [try SampleTransfers.plainDownload(), try SampleTransfers.plainUpload()], terms: TransferTerms()
                    ))
            ),
            ("relocate", .relocate(RelocateParams(id: TransferID(rawValue: 2), place: try relocation()))),
            ("login", .perform(PerformParams(command: WireCommand(login), ids: [TransferID(rawValue: 2)]))),
        ]
    }

    private static func read(_ name: String) throws -> ControlRequest {
        try IncomingRequest.read(Golden.bytes("wire/\(name).json")).content.get()
    }

    @Test func transfersAreRead() throws {
        guard case .add(let params) = try Self.read("add") else { throw TransferError(.other, "no add") }
        #expect(params.transfers == (try SampleTransfers.all(.one)))
        #expect(params.terms == Self.terms)
    }

    @Test func sharedOptionsAreRead() throws {
        guard case .add(let params) = try Self.read("add-shared") else { throw TransferError(.other, "no add") }
        #expect(params.transfers == [try SampleTransfers.plainDownload(), try SampleTransfers.plainUpload()])
    }

    @Test func aRelocationIsRead() throws {
        guard case .relocate(let params) = try Self.read("relocate") else { throw TransferError(.other, "no relocate") }
        #expect(params.place == (try Self.relocation()))
    }

    @Test func everyMessageIsWrittenAsBefore() throws {
        for (name, request) in try Self.requests() {
            let line = try ControlCoding.line(OutgoingRequest(id: .number(1), request: request))
            #expect(
                JSONValue(String(decoding: line, as: UTF8.self)) == JSONValue(try Golden.text("wire/\(name).json")),
                "\(name)")
        }
    }
}
