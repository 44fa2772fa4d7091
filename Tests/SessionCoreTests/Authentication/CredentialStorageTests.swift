// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Glibc
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite(.timeLimit(.minutes(10))) struct CredentialStorageTests {
    private let folder = try! TemporaryFolder()
    private var path: String { folder.file("fileq/credentials.json") }

    private func space(
        _ host: String = "a.test", realm: String? = "here", method: ProtectionSpace.Method = .basic
    ) -> ProtectionSpace {
        ProtectionSpace(host: host, port: 443, scheme: "https", realm: realm, method: method)
    }

    private func person(_ user: String, _ password: String = "secret") -> Credential {
        Credential(user: user, password: password)
    }

    /// What one does to the storage.
    enum Step: Sendable {
        case set(String, String, CredentialPersistence)
        case setDefault(String, String, CredentialPersistence)
        case remove(String)
        case removeAll
    }

    @Test(
        arguments: [
            ([], nil, [], nil, []),
            ([.set("ann", "1", .none)], nil, [], nil, []),
            ([.set("ann", "1", .forSession)], "ann 1", ["ann 1"], nil, []),
            ([.set("ann", "1", .permanent)], "ann 1", ["ann 1"], "ann 1", ["ann 1"]),
            (
                [.set("ann", "1", .permanent), .set("bob", "2", .permanent)], nil, ["ann 1", "bob 2"], nil,
                ["ann 1", "bob 2"]
            ),
            (
                [.set("ann", "1", .permanent), .setDefault("bob", "2", .permanent)], "bob 2", ["ann 1", "bob 2"],
                "bob 2", ["ann 1", "bob 2"]
            ),
            (
                [.setDefault("ann", "1", .permanent), .setDefault("bob", "2", .forSession)], "bob 2",
                ["ann 1", "bob 2"], "ann 1", ["ann 1"]
            ),
            ([.set("ann", "1", .permanent), .set("ann", "2", .forSession)], "ann 2", ["ann 2"], "ann 1", ["ann 1"]),
            ([.set("ann", "1", .forSession), .set("ann", "2", .permanent)], "ann 2", ["ann 2"], "ann 2", ["ann 2"]),
            (
                [.setDefault("ann", "1", .forSession), .set("bob", "2", .permanent), .set("ann", "3", .permanent)],
                "ann 3", ["ann 3", "bob 2"], nil, ["ann 3", "bob 2"]
            ),
            (
                [.setDefault("ann", "1", .forSession), .setDefault("bob", "2", .permanent)], "bob 2",
                ["ann 1", "bob 2"], "bob 2", ["bob 2"]
            ),
            ([.setDefault("ann", "1", .permanent), .set("ann", "2", .none)], "ann 1", ["ann 1"], "ann 1", ["ann 1"]),
            (
                [.setDefault("ann", "1", .permanent), .set("bob", "2", .forSession), .remove("ann")], "bob 2",
                ["bob 2"], nil, []
            ),
            ([.setDefault("ann", "1", .permanent), .set("ann", "2", .forSession), .remove("ann")], nil, [], nil, []),
            ([.set("ann", "1", .permanent), .set("bob", "2", .forSession), .removeAll], nil, [], nil, []),
            ([.set("", "token", .permanent)], " token", [" token"], " token", [" token"]),
        ] as [([Step], String?, [String], String?, [String])])
    func keeps(steps: [Step], standard: String?, known: [String], laterStandard: String?, later: [String]) throws {
        let storage = try CredentialStorage(file: path)
        let inMemory = CredentialStorage()
        for storage in [storage, inMemory] {
            for step in steps {
                switch step {
                case .set(let user, let password, let persistence):
                    try storage.set(person(user, password), for: space(), persistence: persistence)
                case .setDefault(let user, let password, let persistence):
                    try storage.setDefault(person(user, password), for: space(), persistence: persistence)
                case .remove(let user): try storage.remove(person(user), for: space())
                case .removeAll: try storage.removeAll()
                }
            }
        }
        func text(_ credential: Credential) -> String { "\(credential.user) \(credential.password)" }
        for (storage, standard, known) in [
            (storage, standard, known), (inMemory, standard, known),
            (try CredentialStorage(file: path), laterStandard, later),
        ] {
            #expect(storage.defaultCredential(for: space()).map(text) == standard)
            #expect(storage.credentials(for: space()).values.map(text).sorted() == known)
            #expect(storage.credentials(for: space()).allSatisfy { $0.key == $0.value.user })
            #expect(storage.all.values.flatMap(\.values).map(text).sorted() == known)
        }
    }

    @Test func separatesProtectionSpaces() throws {
        let storage = CredentialStorage()
        let spaces = [space(), space("b.test"), space(realm: "there"), space(realm: nil), space(method: .digest)]
        for (number, space) in spaces.enumerated() {
            try storage.set(person("\(number)"), for: space, persistence: .forSession)
        }
        for (number, space) in spaces.enumerated() {
            #expect(storage.defaultCredential(for: space)?.user == "\(number)")
        }
        #expect(storage.all.count == spaces.count)
    }

    @Test func theFileIsVersionedAndPrivate() throws {
        try CredentialStorage(file: path).setDefault(person("ann", "p\"写"), for: space(), persistence: .permanent)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let text = String(decoding: try folder.read("fileq/credentials.json"), as: UTF8.self)
        #expect(text.contains("\"version\" : 1"))
        #expect(text.contains("\"defaultUser\" : \"ann\""))
        #expect(try CredentialStorage(file: path).defaultCredential(for: space()) == person("ann", "p\"写"))
    }

    @Test(
        arguments: [
            ("{\"version\":2,\"places\":[]}", 0o600, "version 2"), ("nonsense", 0o600, "is no list of credentials"),
            ("", 0o600, "is no list of credentials"),
            ("{\"version\":1,\"spaces\":[{}]}", 0o600, "is no list of credentials"),
            ("{\"version\":1,\"spaces\":[]}", 0o640, "chmod 600"),
        ] as [(String, mode_t, String)])
    func neverOverwritesUnusableFiles(text: String, mode: mode_t, words: String) throws {
        let file = folder.file("credentials.json")
        let storage = try CredentialStorage(file: file)
        try folder.write(Array(text.utf8), to: "credentials.json")
        chmod(file, mode)
        let errors = [
            #expect(throws: TransferError.self) { try CredentialStorage(file: file) },
            #expect(throws: TransferError.self) {
                try storage.set(person("ann"), for: space(), persistence: .permanent)
            },
        ]
        for error in errors {
            #expect(error?.code == .usage)
            #expect(error?.message.contains(words) == true)
        }
        #expect(try folder.read("credentials.json") == Array(text.utf8))
        #expect(storage.all.isEmpty)
    }

    @Test func errorsShowNoSecret() throws {
        let file = folder.file("credentials.json")
        try folder.write(Array("{\"version\":1,\"spaces\":\"hunter2\"}".utf8), to: "credentials.json")
        chmod(file, 0o600)
        let error = #expect(throws: TransferError.self) { try CredentialStorage(file: file) }
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func seesChangesOfOtherProcesses() throws {
        let (mine, theirs) = (try CredentialStorage(file: path), try CredentialStorage(file: path))
        try theirs.set(person("ann"), for: space(), persistence: .permanent)
        #expect(mine.defaultCredential(for: space()) == person("ann"))
        try theirs.set(person("ann", "new"), for: space(), persistence: .permanent)
        #expect(mine.defaultCredential(for: space()) == person("ann", "new"))
        try mine.remove(person("ann"), for: space())
        #expect(theirs.all.isEmpty)
        try theirs.set(person("bob"), for: space(), persistence: .permanent)
        unlink(path)
        #expect(mine.all.isEmpty)
    }

    @Test func concurrentWritersLoseNothing() async throws {
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let storage = try CredentialStorage(file: path)
                    for number in 0..<10 {
                        let space = ProtectionSpace(host: "\(number).test", port: 80, scheme: "http", method: .basic)
                        try storage.set(
                            Credential(user: "\(writer)", password: "\(number)"), for: space, persistence: .permanent)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = try CredentialStorage(file: path).all
        #expect(all.count == 10)
        #expect(all.allSatisfy { $0.value.keys.sorted() == ["0", "1", "2", "3"] })
    }
}
