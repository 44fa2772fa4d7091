// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

/// The short way of the usual specs reads and writes what their conformance to `Codable` does.
@Suite struct SpecTextTests {
    private func spec(
        _ url: String = "http://host.test/a?b=c", _ destination: Download.Destination = .file(path: "/d/ä \u{1F600}"),
        _ change: (inout Download) -> Void = { _ in }
    ) throws -> Spec {
        var download = Download(destination: destination)
        change(&download)
        return Spec(url: try TransferURL(url), operation: .download(download))
    }

    private func read(_ text: String) -> (spec: Spec, version: Int?)? {
        Array(text.utf8).withUnsafeBytes { SpecText.read($0) }
    }

    @Test func usualSpecsAreWrittenAndReadAsByTheirConformance() throws {
        for spec in try [
            spec(), spec("https://[::1]:8443/"), spec("http://host.test/", .folder(path: "/d", name: "n")),
            spec { $0.syncs = false },
        ] {
            var bytes: [UInt8] = []
            #expect(SpecText.append(spec, to: &bytes))
            #expect(try JSONDecoder().decode(Spec.self, from: Data(bytes)) == spec)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            encoder.userInfo[.secrets] = SecretCoding.plain
            let usual = try encoder.encode(spec)
            #expect(
                try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary
                    == JSONSerialization.jsonObject(with: usual) as? NSDictionary)
            #expect(read(String(decoding: bytes, as: UTF8.self))?.spec == spec)
            #expect(read(String(decoding: usual, as: UTF8.self))?.spec == spec)
            var versioned: [UInt8] = []
            #expect(SpecText.append(spec, version: 12, to: &versioned))
            #expect(read(String(decoding: versioned, as: UTF8.self))?.version == 12)
        }
    }

    @Test func othersAreLeftToTheirConformance() throws {
        for spec in try [
            spec("http://user:word@host.test/"), spec("http://host.test/", .file(path: "/d/\"")),
            spec("http://host.test/", .file(path: "/d\\")), spec("http://host.test/", .file(path: "/d\n")),
            spec("http://host.test/", .folder(path: "/\t", name: "n")),
            spec("http://host.test/", .stream(descriptor: 1)),
            spec { $0.overwrites = true }, spec { $0.body = [] }, spec { $0.existing = .skips },
            spec { $0.existing = .keepsBoth },
            spec { $0.followsMetalink = false },
            spec { $0.checksum = Checksum("sha256:" + String(repeating: "0", count: 64)) },
            Spec(url: TransferURL("http://h/"), operation: .upload(Upload(source: .file(path: "/s"), form: .put))),
        ] {
            var bytes: [UInt8] = [1]
            #expect(!SpecText.append(spec, to: &bytes), "\(spec)")
            #expect(bytes == [1])
        }
    }

    @Test(arguments: [
        "", "{", "{}", "[]", "null", #"{"url":"http://h/"}"#, #"{"download":{"file":"/a"}}"#,
        #"{"url":"http://h/","download":{}}"#, #"{"url":"http://h/","download":{"folder":"/a"}}"#,
        #"{"url":"http://h/","download":{"file":"/a","name":"b"}}"#,
        #"{"url":"http://h/","download":{"file":"/a","folder":"/b","name":"c"}}"#,
        #"{"url":"http://h/","download":{"file":"/a","overwrites":true}}"#,
        #"{"url":"http://h/","download":{"file":"/a"},"options":{}}"#,
        #"{"url":"http://h/","url":"http://i/","download":{"file":"/a"}}"#,
        #"{"url":"ftp://h/","download":{"file":"/a"}}"#, #"{"url":"http://h/","download":{"file":"\u0041"}}"#,
        #"{"url":"http://h/","download":{"file":"/a"}} "#, #"{"url":"http://h/","download":{"file":"/a"}"#,
        #"{"url":"http://h/","download":{"file":"/a","syncs":1}}"#,
        #"{"version":"2","url":"http://h/","download":{"file":"/a"}}"#,
    ])
    func whatIsNotOfThisFormIsNotRead(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test func arraysAreReadWhole() throws {
        var bytes = Array("[".utf8)
        let specs = try (0..<3).map { try spec("http://host.test/\($0)", .folder(path: "/d", name: "\($0)")) }
        for (index, spec) in specs.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            #expect(SpecText.append(spec, to: &bytes))
        }
        let open = bytes
        bytes.append(UInt8(ascii: "]"))
        #expect(bytes.withUnsafeBytes { SpecText.readArray($0) } == specs)
        #expect(open.withUnsafeBytes { SpecText.readArray($0) } == nil)
        #expect((bytes + [32]).withUnsafeBytes { SpecText.readArray($0) } == nil)
        #expect(Array("[]".utf8).withUnsafeBytes { SpecText.readArray($0) } == [])
    }
}
