// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import TransferModel

/// The stored form of what resumes an upload, and what becomes of other forms of it.
@Suite struct UploadPointTests {
    private func decoded(_ text: String) throws -> UploadCheckpoint {
        try JSONDecoder().decode(UploadCheckpoint.self, from: Data(text.utf8))
    }

    private static let source = #""source":{"inode":9,"nanoseconds":6,"seconds":7,"size":8}"#

    @Test func theStoredFormStays() throws {
        var point = UploadPoint(
            .ietf(.v8), url: "http://host.test/u", target: "http://host.test/f", offset: 5, maximumAppend: 100)
        point.isTailSent = true
        var checkpoint = UploadCheckpoint(
            source: .init(inode: 9, size: 8, seconds: 7, nanoseconds: 6), key: "a-key", point: point)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(checkpoint), as: UTF8.self)
        #expect(
            text == """
                {"key":"a-key","point":{"carrier":"ietf-8","isTailSent":true,"maximumAppend":100,"offset":5,\
                "target":"http://host.test/f","url":"http://host.test/u"},\(Self.source)}
                """)
        #expect(try decoded(text) == checkpoint)
        (checkpoint.source.changedSeconds, checkpoint.source.changedNanoseconds, checkpoint.point) = (5, 4, nil)
        let later = String(decoding: try encoder.encode(checkpoint), as: UTF8.self)
        #expect(
            later == """
                {"key":"a-key","source":{"changedNanoseconds":4,"changedSeconds":5,"inode":9,"nanoseconds":6,\
                "seconds":7,"size":8}}
                """)
        #expect(try decoded(later) == checkpoint)
    }

    /// What earlier versions stored has no time of the last change.
    @Test(arguments: [(5, 4, true), (nil, nil, true), (5, 3, false), (4, 4, false)] as [(Int64?, Int64?, Bool)])
    func sourcesAreComparedAsFarAsTheyAreKnown(_ seconds: Int64?, _ nanoseconds: Int64?, _ matches: Bool) {
        typealias Source = UploadCheckpoint.Source
        let known = Source(
            inode: 9, size: 8, seconds: 7, nanoseconds: 6, changedSeconds: 5, changedNanoseconds: 4)
        let other = Source(
            inode: 9, size: 8, seconds: 7, nanoseconds: 6, changedSeconds: seconds,
            changedNanoseconds: nanoseconds)
        #expect(known.matches(other) == matches && other.matches(known) == matches)
        #expect(!known.matches(Source(inode: 9, size: 8, seconds: 7, nanoseconds: 5)))
        #expect(!known.matches(Source(inode: 8, size: 8, seconds: 7, nanoseconds: 6)))
    }

    @Test func theStoredFormOfPartsStays() throws {
        var point = UploadPoint(.tus, url: "http://host.test/1", target: "http://host.test/f", offset: 5)
        point.parts = [.init(length: 3), .init(url: "http://host.test/1", length: 5, offset: 5)]
        let checkpoint = UploadCheckpoint(source: .init(inode: 9, size: 8, seconds: 7, nanoseconds: 6), point: point)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(checkpoint), as: UTF8.self)
        #expect(
            text == """
                {"point":{"carrier":"tus-1.0.0","offset":5,"parts":[{"length":3,"offset":0},\
                {"length":5,"offset":5,"url":"http://host.test/1"}],"target":"http://host.test/f",\
                "url":"http://host.test/1"},\(Self.source)}
                """)
        #expect(try decoded(text) == checkpoint)
    }

    /// A member of this version: earlier ones did not store it, and do not read it.
    @Test func theExpiryIsStored() throws {
        var point = UploadPoint(.tus, url: "u", target: "t", offset: 5)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try !String(decoding: encoder.encode(point), as: UTF8.self).contains("expires"))
        point.expires = 1_700_000_000
        #expect(
            try String(decoding: encoder.encode(point), as: UTF8.self)
                == #"{"carrier":"tus-1.0.0","expires":1700000000,"offset":5,"target":"t","url":"u"}"#)
        #expect(try JSONDecoder().decode(UploadPoint.self, from: encoder.encode(point)) == point)
    }

    /// Members of this version, as well.
    @Test func howMuchMayHaveBeenSentIsStored() throws {
        var point = UploadPoint(.tus, url: "u", target: "t", offset: 5)
        (point.reach, point.parts) = (7, [.init(length: 8, offset: 5)])
        point.parts?[0].reach = 6
        let checkpoint = UploadCheckpoint(
            source: .init(inode: 9, size: 8, seconds: 7, nanoseconds: 6), point: point, bootID: "boot")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(checkpoint), as: UTF8.self)
        #expect(
            text == """
                {"bootID":"boot","point":{"carrier":"tus-1.0.0","offset":5,"parts":[{"length":8,"offset":5,"reach":6}],\
                "reach":7,"target":"t","url":"u"},\(Self.source)}
                """)
        #expect(try decoded(text) == checkpoint)
        point.forgetReach()
        #expect(point.reach == nil && point.parts?.map(\.reach) == [nil])
    }

    @Test func earlierFormsAreRead() throws {
        let plain = try decoded(#"{"key":"a-key",\#(Self.source)}"#)
        #expect(plain.key == "a-key" && plain.point == nil && plain.source.inode == 9)
        #expect(try decoded("{\(Self.source)}").key == nil)
    }

    @Test(arguments: [
        #"{"carrier":"ietf-7","url":"u","target":"t","offset":5}"#, #"{"carrier":"ietf-8","url":"u","offset":5}"#,
        #"{"carrier":"ietf-8","url":"u","target":"t","offset":-5}"#,
        #"{"carrier":"tus-1.0.0","url":"u","target":"t","offset":5,"maximumAppend":0}"#,
        #"{"carrier":"tus-1.0.0","url":"u","target":"t","offset":5,"parts":[{"length":"8"}]}"#, "7",
    ]) func anUnknownPointCostsNoKey(_ point: String) throws {
        let read = try decoded(#"{"key":"a-key","point":\#(point),\#(Self.source)}"#)
        #expect(read.point == nil && read.key == "a-key")
    }

    @Test func everyCarrierIsReadAgain() {
        #expect(
            UploadCarrier.allCases.map(\.description)
                == ["ietf-1000", "ietf-10", "ietf-9", "ietf-8", "ietf-6", "ietf-5", "ietf-3", "tus-1.0.0", "s3"])
        for carrier in UploadCarrier.allCases { #expect(UploadCarrier(carrier.description) == carrier) }
        #expect(UploadCarrier("tus") == nil)
        #expect(UploadCarrier.words("tus-2") == "tus-2")
    }

    @Test func anUploadSaysHowItResumes() throws {
        func text(_ upload: Upload) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(upload), as: UTF8.self)
        }
        var upload = Upload(source: .file(path: "/a"))
        #expect(try text(upload) == #"{"file":"/a"}"#)
        for resumption in UploadResumption.allCases where resumption != .never {
            upload.resumption = resumption
            let written = try text(upload)
            #expect(written == #"{"file":"/a","resumable":"\#(resumption.rawValue)"}"#)
            #expect(try JSONDecoder().decode(Upload.self, from: Data(written.utf8)) == upload)
        }
    }
}
