// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

@Suite(.timeLimit(.minutes(10))) struct TransportSecurityStoreTests {
    /// Seconds since 1970, moved by hand: 2026-11-21.
    private final class Clock: Sendable {
        private let seconds = Mutex(1_795_219_200.0)
        var now: Double { seconds.withLock { $0 } }
        func advance(by amount: Double) { seconds.withLock { $0 += amount } }
    }

    private let clock = Clock()
    private let folder = try! TemporaryFolder()
    private var path: String { folder.file("hsts") }

    private func store(_ file: String? = nil) throws -> TransportSecurityStore {
        try TransportSecurityStore(file: file, now: { [clock] in clock.now }) {
            $0 == "bücher.test" ? "XN--BCHER-KVA.test" : nil
        }
    }

    private func fields(_ values: String...) -> HTTPFields {
        var fields = HTTPFields()
        for value in values {
            fields.append(HTTPField(name: HTTPField.Name("Strict-Transport-Security")!, value: value))
        }
        return fields
    }

    private func secured(_ store: TransportSecurityStore, _ text: String) throws -> String {
        store.secured(try TransferURL(text)).string
    }

    @Test(arguments: [
        ("https://a.test/", "max-age=10", "http://a.test/x?y", "https://a.test/x?y"),
        ("https://a.test/", "max-age=\"10\"", "http://a.test:80/", "https://a.test/"),
        ("https://a.test:8443/", "max-age=10", "http://A.test:8080/", "https://a.test:8080/"),
        ("https://a.test./", "max-age=10", "http://a.test/", "https://a.test/"),
        ("https://a.test/", "max-age=10", "http://a.test./", "https://a.test./"),
        ("https://a.test/", "max-age=10; includeSubDomains", "http://c.b.a.test/", "https://c.b.a.test/"),
        (
            "https://bücher.test/", "max-age=10; includeSubDomains", "http://xn--bcher-kva.test/",
            "https://xn--bcher-kva.test/"
        ),
        ("https://xn--bcher-kva.test/", "max-age=10", "http://bücher.test/", "https://bücher.test/"),
        ("https://localhost/", "max-age=10", "http://localhost:8080/", "https://localhost:8080/"),
    ])
    func sendsByHTTPS(from: String, field: String, url: String, expected: String) throws {
        let store = try store()
        store.note(fields(field), from: try TransferURL(from))
        #expect(try secured(store, url) == expected)
    }

    @Test(
        arguments: [
            ("http://a.test/", ["max-age=10"], "http://a.test/"), ("https://a.test/", [], "http://a.test/"),
            ("https://a.test/", ["nonsense"], "http://a.test/"),
            ("https://a.test/", ["nonsense", "max-age=10"], "http://a.test/"),
            ("https://a.test/", ["max-age=0", "max-age=10"], "http://a.test/"),
            ("https://a.test/", ["max-age=10"], "http://b.a.test/"),
            ("https://b.a.test/", ["max-age=10; includeSubDomains"], "http://a.test/"),
            ("https://a.test/", ["max-age=10; includeSubDomains"], "http://ba.test/"),
            ("https://1.2.3.4/", ["max-age=10"], "http://1.2.3.4/"),
            ("https://[::1]/", ["max-age=10"], "http://[::1]/"),
            ("https://127.1/", ["max-age=10"], "http://127.1/"),
            ("https://0x7f000001/", ["max-age=10"], "http://0x7f000001/"),
            ("https://写真.test/", ["max-age=10"], "http://写真.test/"),
        ] as [(String, [String], String)])
    func leavesAlone(from: String, values: [String], url: String) throws {
        let store = try store()
        var head = HTTPFields()
        for value in values { head.append(fields(value)[fields: HTTPField.Name("Strict-Transport-Security")!].first!) }
        store.note(head, from: try TransferURL(from))
        #expect(try store.secured(TransferURL(url)) == TransferURL(url))
    }

    @Test func credentialsStayInTheURL() throws {
        let store = try store()
        store.note(fields("max-age=10"), from: try TransferURL("https://a.test/"))
        #expect(
            store.secured(try TransferURL("http://ann:x@a.test/")).credential == Credential(user: "ann", password: "x"))
    }

    @Test func policiesExpireAndAreRevoked() throws {
        let store = try store()
        let (host, domain) = (try TransferURL("https://a.b.test/"), try TransferURL("https://b.test/"))
        store.note(fields("max-age=100"), from: host)
        clock.advance(by: 99)
        #expect(try secured(store, "http://a.b.test/") == "https://a.b.test/")
        clock.advance(by: 1)
        #expect(try secured(store, "http://a.b.test/") == "http://a.b.test/")
        store.note(fields("max-age=100"), from: host)
        clock.advance(by: 50)
        store.note(fields("max-age=100"), from: host)
        clock.advance(by: 80)
        #expect(try secured(store, "http://a.b.test/") == "https://a.b.test/")
        store.note(fields("max-age=1000; includeSubDomains"), from: domain)
        store.note(fields("max-age=0"), from: host)
        // The domain's own policy holds for it still.
        #expect(try secured(store, "http://a.b.test/") == "https://a.b.test/")
        store.note(fields("max-age=1000"), from: domain)
        #expect(try secured(store, "http://a.b.test/") == "http://a.b.test/")
        store.note(fields("max-age=0"), from: domain)
        #expect(try secured(store, "http://b.test/") == "http://b.test/")
    }

    @Test func evictsTheOldestFirst() throws {
        let store = try store(path)
        for number in 0..<10_050 {
            store.note(fields("max-age=1000"), from: try TransferURL("https://h\(number).test/"))
        }
        #expect(try secured(store, "http://h0.test/") == "http://h0.test/")
        #expect(try secured(store, "http://h10049.test/") == "https://h10049.test/")
        try store.save()
        let lines = String(decoding: try folder.read("hsts"), as: UTF8.self).split(separator: "\n").filter {
            !$0.hasPrefix("#")
        }
        #expect((9900...10_000).contains(lines.count))
        #expect(lines.last?.hasPrefix("h10049.test ") == true)
    }

    @Test func usesCurlsFormat() throws {
        try folder.write(
            Array(
                """
                # Your HSTS cache. https://curl.se/docs/hsts.html
                # This file was generated by libcurl! Edit at your own risk.
                .sub.test "20261122 00:00:00"
                only.test "20300101 12:30:59"\r
                  ever.test "unlimited"
                past.test "20201122 00:00:00"
                twice.test "20261123 00:00:00"
                .twice.test "20261122 00:00:00"
                1.2.3.4 "20301122 00:00:00"
                nonsense
                bad.test 20301122 00:00:00
                bad.test "20301322 00:00:00"
                """.utf8), to: "hsts")
        let store = try store(path)
        for (url, isSecured) in [
            ("a.sub.test", true), ("sub.test", true), ("only.test", true), ("a.only.test", false), ("ever.test", true),
            ("past.test", false), ("a.twice.test", true), ("1.2.3.4", false), ("bad.test", false),
        ] {
            #expect(try secured(store, "http://\(url)/").hasPrefix("https:") == isSecured, "\(url)")
        }
        store.note(fields("max-age=60"), from: try TransferURL("https://new.test/"))
        store.note(fields("max-age=0"), from: try TransferURL("https://only.test/"))
        #expect(try secured(store, "http://only.test/") == "http://only.test/")
        try store.save()
        #expect(try secured(store, "http://only.test/") == "http://only.test/")
        let text = String(decoding: try folder.read("hsts"), as: UTF8.self)
        #expect(
            text.split(separator: "\n").dropFirst() == [
                ".sub.test \"20261122 00:00:00\"", "ever.test \"99991231 23:59:59\"",
                ".twice.test \"20261123 00:00:00\"",
                "new.test \"20261121 00:01:00\"",
            ])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func savingMergesOtherEntries() throws {
        let (mine, theirs) = (try store(path), try store(path))
        mine.note(fields("max-age=60"), from: try TransferURL("https://a.test/"))
        theirs.note(fields("max-age=60"), from: try TransferURL("https://b.test/"))
        try mine.save()
        try theirs.save()
        for store in [mine, theirs, try store(path)] {
            #expect(try secured(store, "http://a.test/") == "https://a.test/")
            #expect(try secured(store, "http://b.test/") == "https://b.test/")
        }
    }

    @Test func skipsInsignificantChanges() throws {
        let store = try store(path)
        let url = try TransferURL("https://a.test/")
        store.note(fields("max-age=1000000"), from: url)
        try store.save()
        unlink(path + ".lock")
        clock.advance(by: 3600)
        store.note(fields("max-age=1000000"), from: url)
        try store.save()
        #expect(folder.names == ["hsts"])
        store.note(fields("max-age=500000"), from: url)
        try store.save()
        #expect(folder.names == ["hsts", "hsts.lock"])
    }

    @Test func failedSavesLoseNothing() throws {
        let store = try store(path)
        store.note(fields("max-age=60"), from: try TransferURL("https://a.test/"))
        #expect(mkdir(folder.file("hsts.new"), 0o700) == 0)
        #expect(throws: TransferError.self) { try store.save() }
        #expect(try secured(store, "http://a.test/") == "https://a.test/")
        rmdir(folder.file("hsts.new"))
        try store.save()
        #expect(folder.exists("hsts"))
    }

    /// The program curl reads what we wrote and writes what we read. It shows that it reads by beginning TLS where http
    /// was asked for.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "curl is not installed"))
    func curlReadsAndWritesTheSameFile() async throws {
        let first = Mutex<[UInt8]>([])
        let server = try ScriptedServer { connection, _ in
            let bytes = connection.readBody(1)
            first.withLock { $0 += bytes }
        }
        // curl keeps no clock of ours.
        let store = try TransportSecurityStore(file: path, now: { Date().timeIntervalSince1970 }) { _ in nil }
        store.note(fields("max-age=1000; includeSubDomains"), from: try TransferURL("https://a.test/"))
        store.note(fields("max-age=99999999999999"), from: try TransferURL("https://ever.test/"))
        try store.save()
        let ours = try folder.read("hsts")
        for host in ["b.a.test", "b.ever.test"] {
            try await ChildProcess.run([
                "/usr/bin/curl", "-q", "-sS", "--noproxy", "*", "--max-time", "30", "--hsts", path,
                "--resolve", "\(host):\(server.port):127.0.0.1", "http://\(host):\(server.port)/",
            ])
        }
        // A TLS record, then the G of GET.
        #expect(first.withLock { $0 } == [0x16, UInt8(ascii: "G")])
        let theirs = try folder.read("hsts")
        func entries(_ bytes: [UInt8]) -> [Substring] {
            String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.sorted()
        }
        #expect(theirs != ours)
        #expect(entries(theirs) == entries(ours))
        let later = try TransportSecurityStore(file: path, now: { Date().timeIntervalSince1970 }) { _ in nil }
        #expect(try secured(later, "http://c.a.test/") == "https://c.a.test/")
        #expect(try secured(later, "http://ever.test/") == "https://ever.test/")
    }
}
