// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Testing
import TransferModel

@testable import fileq

@Suite struct MetalinkRequestsTests {
    private static let sum = String(repeating: "ab", count: 32)
    private static let address = "<url>http://h/a</url>"

    private static func document(_ content: String) -> String {
        #"<metalink xmlns="urn:ietf:params:xml:ns:metalink">\#(content)</metalink>"#
    }

    @Test func aDocumentBecomesItsFiles() throws {
        let folder = try Folder()
        let list = try folder.write(
            Self.document(
                """
                <file name="../a.iso"><size>9</size><hash type="sha-256">\(Self.sum)</hash>
                <url priority="2">http://two.test/x</url><url priority="1">http://one.test/y</url></file>
                <file name="b.iso">\(Self.address)</file>
                """), to: "list.meta4")
        for words in [["get", "-d", folder.path, list], ["get", "-d", folder.path, "--metalink", list]] {
            let plan = try addPlan(words)
            #expect(plan.descriptions.map(\.url.string) == ["http://one.test/y", "http://h/a"])
            #expect(plan.descriptions.map(\.file) == ["\(folder.path)/a.iso", "\(folder.path)/b.iso"])
            let download = try plan.descriptions[0].requireDownload()
            #expect(download.mirrors.map(\.url.string) == ["http://two.test/x"])
            #expect(download.mirrors.map(\.priority) == [2])
            #expect(download.size == 9)
            #expect(download.checksum?.hex == Self.sum)
        }
    }

    /// One that is not fetched is downloaded itself.
    @Test func aFetchedDocumentBecomesItsFiles() throws {
        let address = "http://h/x.meta4"
        let content = Self.document("<file name=\"b.iso\">\(Self.address)</file>")
        let fetched = PlanInputs(documents: [address: Array(content.utf8)])
        #expect(try plan(["get", address], with: fetched).descriptions.map(\.url.string) == ["http://h/a"])
        #expect(try plan(["get", address]).descriptions.map(\.url.string) == [address])
    }

    @Test func mirrorsAreOfOneFile() throws {
        let folder = try Folder()
        let plan = try addPlan([
            "get", "-d", folder.path, "--mirror", "http://k/a", "--mirror", "http://l/a", "http://h/a",
        ])
        #expect(try plan.descriptions[0].requireDownload().mirrors.map(\.url.string) == ["http://k/a", "http://l/a"])
        for words in [
            ["--mirror", "ftp://k/a", "http://h/a"], ["--mirror", "http://k/a", "http://h/a", "http://h/b"],
        ] {
            #expect(throws: TransferError.self) { try addPlan(["get", "-d", folder.path] + words) }
        }
    }

    /// Lists and documents that are addresses are downloaded by a command of its own, with every member set.
    @Test(arguments: [[], ["--json"], ["-o", "-"]]) func aCommandDownloadsADocument(more: [String]) throws {
        let words = ["--metalink", "http://h/x", "http://h/a", "--mirror", "http://k/a"]
        let command = try GetCommand.parse(words + more).arguments
        let plan = try ChecksumFetch.request(TransferURL("http://h/x.meta4"), for: command)
            .plan(Listener().surroundings())
        #expect(plan.descriptions.map(\.url.string) == ["http://h/x.meta4"])
        #expect(!plan.writesBytesToStandardOutput)
        let download = try #require(Received.redirected(plan.descriptions, to: 7).first).requireDownload()
        #expect(download.destination == .stream(descriptor: 7) && download.mirrors.isEmpty)
    }

    /// Others show by their responses that they are documents.
    @Test func documentsMayBeSaved() throws {
        let folder = try Folder()
        let words = ["get", "-d", folder.path]
        #expect(try addPlan(words + ["http://h/a"]).descriptions[0].requireDownload().followsMetalink)
        let command = try GetCommand.parse(["--no-metalink", "http://h/a.meta4", "http://h/b"]).arguments
        #expect(command.documents.isEmpty)
        let plan = try addPlan(words + ["--no-metalink", "http://h/a.meta4", "http://h/b"])
        #expect(plan.descriptions.map(\.url.string) == ["http://h/a.meta4", "http://h/b"])
        for spec in plan.descriptions { #expect(try !spec.requireDownload().followsMetalink) }
    }

    @Test func aMissingDocumentIsNamed() throws {
        let error = #expect(throws: TransferError.self) { try addPlan(["get", "/nowhere/a.meta4"]) }
        #expect(error?.message.contains("/nowhere/a.meta4") == true)
    }
}
