// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferStore

@Suite struct SpecColumnsTests {
    @Test(arguments: 0..<4) func roundTripsCompletely(_ index: Int) throws {
        let spec = try SampleTransfers.all()[index]
        var encoder = SpecEncoder()
        let row = try encoder.encode(spec)
        #expect(!(row.subject + row.options).contains(SampleTransfers.marker))
        let secrets = row.secrets.map { encoder.secrets[$0] } ?? SecretValues()
        var decoder = SpecDecoder()
        #expect(try decoder.decode(subject: row.subject, options: row.options, secrets: secrets) == spec)
    }

    @Test func defaultsAreNotStored() throws {
        var encoder = SpecEncoder()
        let row = try encoder.encode(try SampleTransfers.plainDownload())
        #expect(row.options == #"{"version":2}"#)
        #expect(row.secrets == nil)
    }

    @Test func equalOptionsAreEncodedOnce() throws {
        var encoder = SpecEncoder()
        let rows = [try encoder.encode(try SampleTransfers.upload()), try encoder.encode(try SampleTransfers.upload())]
        #expect(rows[0].secrets == rows[1].secrets)
        #expect(encoder.secrets.count == 1)
        var decoder = SpecDecoder()
        let specs = try rows.map { row throws(TransferError) in
            try decoder.decode(subject: row.subject, options: row.options, secrets: encoder.secrets[0])
        }
        #expect(specs[0].$options.isIdentical(to: specs[1].$options))
    }

    @Test(arguments: [
        Spec.Operation.download(.init(destination: .stream(descriptor: 1))),
        .upload(.init(source: .stream(descriptor: 0, name: "-"))),
    ]) func openDescriptorsCannotBeStored(_ operation: Spec.Operation) throws {
        var encoder = SpecEncoder()
        let spec = Spec(url: try TransferURL("http://a.test/"), operation: operation)
        let error = #expect(throws: TransferError.self) { try encoder.encode(spec) }
        #expect(error?.code == .usage)
    }

    @Test func timeoutsMustBeFinite() throws {
        var encoder = SpecEncoder()
        var spec = try SampleTransfers.plainDownload()
        spec.options.requestTimeout = .infinity
        let error = #expect(throws: TransferError.self) { try encoder.encode(spec) }
        #expect(error?.code == .usage)
    }

    @Test func namesAMissingSecret() throws {
        var encoder = SpecEncoder()
        let row = try encoder.encode(try SampleTransfers.download())
        var decoder = SpecDecoder()
        let error = #expect(throws: TransferError.self) {
            try decoder.decode(subject: row.subject, options: row.options, secrets: SecretValues())
        }
        #expect(error?.code == .secretMissing)
        #expect(error?.message.contains("(url.user)") == true)
    }

    @Test func refusesANewerForm() throws {
        var decoder = SpecDecoder()
        let error = #expect(throws: TransferError.self) {
            try decoder.decode(
                subject: #"{"version":2,"url":"http://a.test/","download":{"file":"/f"}}"#, options: #"{"version":3}"#,
                secrets: SecretValues())
        }
        #expect(error?.message.contains("newer version") == true)
    }

    @Test(arguments: [
        (#"{"version":1,"url":"http://a.test/"}"#, #"{"version":1}"#),
        (#"{"version":2,"url":"http://a.test/"}"#, #"{"version":2}"#),
        (#"{"version":1,"url":"http://a.test/","download":{"path":"/f","checksum":"sha256:12"}}"#, #"{"version":1}"#),
        (#"{"version":2,"url":"http://a.test/","download":{"file":"/f"}}"#, #"{"version":2,"method":"A B"}"#),
        (
            #"{"version":2,"url":"http://a.test/","download":{"file":"/f"}}"#,
            #"{"version":2,"headers":[{"name":"a b","value":""}]}"#
        ),
        (#"{"version":1,"url":"http://a.test/","download":{"path":"/f"}}"#, #"{"version":1,"cookies":[{"name":"a"}]}"#),
        ("", ""), (#"{"version":2}"#, "{}"),
    ]) func damageIsReported(_ subject: String, _ options: String) throws {
        var decoder = SpecDecoder()
        let error = #expect(throws: TransferError.self) {
            try decoder.decode(subject: subject, options: options, secrets: SecretValues())
        }
        #expect(error?.code == .other)
    }
}
