// SPDX-License-Identifier: MIT

import Foundation
import Glibc
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite(.timeLimit(.minutes(10))) struct TrustStoreTests {
    private let folder = try! TemporaryFolder()
    private var path: String { folder.file("known_servers") }

    private static func print(_ byte: UInt8) -> Fingerprint { Fingerprint(repeatElement(byte, count: 32))! }
    private static let one = "sha256//AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
    private static let two = "sha256//AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="

    private func put(_ text: String) throws {
        try folder.write(Array(text.utf8), to: "known_servers")
        chmod(path, 0o600)
    }

    private var text: String { get throws { String(decoding: try folder.read("known_servers"), as: UTF8.self) } }

    @Test func writesFingerprintsAsPins() {
        #expect("\(Self.print(1))" == Self.one)
        #expect(Fingerprint(parsing: Self.two) == Self.print(2))
        for text in [
            "", "sha256//", "sha256//AQE=", "sha1//" + Self.one.dropFirst(8), Self.one + "A",
            String(Self.one.dropLast()),
        ] {
            #expect(Fingerprint(parsing: text) == nil, "\(text)")
        }
        #expect(Fingerprint([1, 2, 3]) == nil)
    }

    @Test(
        arguments: [
            (
                "a.test:443 \(one) 2026-11-21 # CN=a.test, O=Some One", "a.test", 443, false, "2026-11-21",
                "CN=a.test, O=Some One", nil
            ),
            ("a.test:443 \(one) certificate=\(two) 2026-11-21 # CN=a", "a.test", 443, true, "2026-11-21", "CN=a", nil),
            ("[::1]:8443 \(one) 2026-11-21", "::1", 8443, false, "2026-11-21", "", nil),
            ("A.Test:1\t\(one)   # x # y ", "a.test", 1, false, nil, "x # y", "a.test:1 \(one) # x # y"),
            ("bücher.test:443 \(one)", "bücher.test", 443, false, nil, "", nil),
        ] as [(String, String, Int, Bool, String?, String, String?)])
    func readsAndWritesLines(
        line: String, host: String, port: Int, hasCertificate: Bool, day: String?, subject: String, printed: String?
    ) throws {
        let key = try #require(TrustedKey(parsing: line))
        #expect(key.host == host)
        #expect(key.port == port)
        #expect(key.publicKey == Self.print(1))
        #expect(key.certificate == (hasCertificate ? Self.print(2) : nil))
        #expect(key.accepted.map(CompactTime.day) == day)
        #expect(key.subject == subject)
        #expect(key.line == printed ?? line)
        #expect(TrustedKey(parsing: key.line) == key)
    }

    @Test(arguments: [
        "", "#", "# a.test:443 \(one)", "a.test \(one)", "a.test:443", "a.test:x \(one)", "a.test:0 \(one)",
        "a.test:65536 \(one)", ":443 \(one)",
        "a.test:443 sha256//abc", "a.test:443 \(one) yesterday", "a.test:443 \(one) 2026-02-30",
        "a.test:443 \(one) 2026-11-21 revoked",
        "a.test:443 \(one) certificate=x 2026-11-21", "::1:443 \(one)", "[::1:443 \(one)", "@revoked a.test:443 \(one)",
        "a.test:443 #\(one)",
    ])
    func whatIsNotUnderstoodIsNotTrusted(line: String) { #expect(TrustedKey(parsing: line) == nil) }

    @Test(arguments: ["", "a b", "a\nb.test", "#a", "a\u{202E}b", "[::1]"])
    func rejectsHostsWithControlCharacters(host: String) {
        #expect(throws: TransferError.self) { try TrustedKey(host: host, port: 1, publicKey: Self.print(1)) }
    }

    @Test(arguments: [
        ("CN=a\nb.test:443 x", "CN=a"), ("\n\u{1B}[31mCN=a\u{202E}\u{7F}", "[31mCN=a"), ("   ", ""), (" CN=a ", "CN=a"),
        (String(repeating: "写", count: 500), String(repeating: "写", count: 200)),
    ])
    func subjectsStayOneLine(subject: String, shown: String) throws {
        let key = try TrustedKey(
            host: "a.test", port: 443, publicKey: Self.print(1), accepted: 1_795_219_200, subject: subject)
        #expect(key.subject == shown)
        #expect(TrustedKey(parsing: key.line) == key)
    }

    @Test func acceptsOnlyTheStoredKey() throws {
        for store in [TrustStore(), try TrustStore(file: path)] {
            try store.accept(TrustedKey(host: "A.test", port: 443, publicKey: Self.print(1)), persistence: .permanent)
            try store.accept(TrustedKey(host: "a.test", port: 443, publicKey: Self.print(2)), persistence: .forSession)
            #expect(store.accepts(host: "a.TEST", port: 443, publicKey: Self.print(1)))
            #expect(store.accepts(host: "a.test", port: 443, publicKey: Self.print(2)))
            #expect(!store.accepts(host: "a.test", port: 443, publicKey: Self.print(3)))
            #expect(!store.accepts(host: "a.test", port: 444, publicKey: Self.print(1)))
            #expect(!store.accepts(host: "b.a.test", port: 443, publicKey: Self.print(1)))
            #expect(store.all.count == 2)
        }
        let later = try TrustStore(file: path)
        #expect(later.accepts(host: "a.test", port: 443, publicKey: Self.print(1)))
        #expect(!later.accepts(host: "a.test", port: 443, publicKey: Self.print(2)))
        try later.remove(host: "A.test", port: 443)
        #expect(later.all.isEmpty)
        #expect(try text == "")
    }

    @Test func replacesBothKindsAtOnce() throws {
        let store = try TrustStore(file: path)
        for (byte, persistence) in [(UInt8(1), TrustStore.Persistence.permanent), (2, .forSession)] {
            for port in [80, 443] {
                try store.accept(
                    TrustedKey(host: "a.test", port: port, publicKey: Self.print(byte)), persistence: persistence)
            }
        }
        let key = try TrustedKey(host: "a.test", port: 443, publicKey: Self.print(3))
        try store.replace(with: key)
        #expect(store.all.filter { $0.port == 443 }.map(\.publicKey) == [Self.print(3)])
        #expect(store.all.count { $0.port == 80 } == 2)
        #expect(try TrustStore(file: path).all.map(\.publicKey) == [Self.print(1), Self.print(3)])
        // A file that cannot be changed keeps the key.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: TransferError.self) {
            try store.replace(with: TrustedKey(host: "a.test", port: 443, publicKey: Self.print(4)))
        }
        #expect(!store.accepts(host: "a.test", port: 443, publicKey: Self.print(4)))
    }

    @Test func removesBothKinds() throws {
        let store = try TrustStore(file: path)
        for (byte, persistence) in [(UInt8(1), TrustStore.Persistence.permanent), (2, .forSession)] {
            try store.accept(
                TrustedKey(host: "a.test", port: 443, publicKey: Self.print(byte)), persistence: persistence)
            try store.accept(
                TrustedKey(host: "a.test", port: 80, publicKey: Self.print(byte)), persistence: persistence)
        }
        try store.remove(host: "a.test", port: 443)
        #expect(store.all.map(\.port) == [80, 80])
    }

    @Test func keepsUnknownLines() throws {
        try put("# mine\n\na.test:443 \(Self.one) 2020-01-01 # old\nnonsense \u{7F}\r\n")
        let store = try TrustStore(file: path)
        try store.accept(TrustedKey(host: "b.test", port: 1, publicKey: Self.print(2)), persistence: .permanent)
        try store.accept(
            TrustedKey(host: "a.test", port: 443, publicKey: Self.print(1), subject: "new"), persistence: .permanent)
        #expect(try text == "# mine\n\na.test:443 \(Self.one) # new\nnonsense \u{7F}\r\nb.test:1 \(Self.two)\n")
        try store.remove(host: "a.test", port: 443)
        #expect(try text == "# mine\n\nnonsense \u{7F}\r\nb.test:1 \(Self.two)\n")
        // Not even UTF-8, and no end of its last line.
        try folder.write([0xFF, 10] + Array("#x".utf8), to: "known_servers")
        chmod(path, 0o600)
        try store.accept(TrustedKey(host: "b.test", port: 1, publicKey: Self.print(2)), persistence: .permanent)
        #expect(try folder.read("known_servers") == [0xFF, 10] + Array("#x\nb.test:1 \(Self.two)\n".utf8))
    }

    @Test func seesManuallyRemovedLines() throws {
        try put("a.test:443 \(Self.one)\n")
        let store = try TrustStore(file: path)
        #expect(store.accepts(host: "a.test", port: 443, publicKey: Self.print(1)))
        try put("")
        #expect(!store.accepts(host: "a.test", port: 443, publicKey: Self.print(1)))
    }

    @Test func aFileThatOthersWriteIsRefused() throws {
        try put("a.test:443 \(Self.one)\n")
        chmod(path, 0o622)
        let error = #expect(throws: TransferError.self) { try TrustStore(file: path) }
        #expect(error?.code == .usage)
    }

    @Test func concurrentWritersLoseNothing() async throws {
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...4 {
                group.addTask {
                    let store = try TrustStore(file: path)
                    for port in 1...10 {
                        try store.accept(
                            TrustedKey(host: "\(writer).test", port: port, publicKey: Self.print(1)),
                            persistence: .permanent)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try TrustStore(file: path).all.count == 40)
    }
}
