// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

@testable import FileQTransfer

@Suite struct SessionFolderTests {
    @Test(arguments: [
        ("org.example.mirror", "org.example.mirror"), ("a/b", "a%2Fb"), ("..", "%2E."), (".", "%2E"),
        (".hidden", "%2Ehidden"),
        ("議", "%E8%AD%B0"), ("a b\n", "a%20b%0A"),
    ])
    func anyIdentifierIsOneFolder(_ identifier: String, _ name: String) throws {
        #expect(try SessionFolder.name(of: identifier) == name)
    }

    @Test(arguments: ["", String(repeating: "x", count: 201), String(repeating: "/", count: 67)])
    func rejectsInvalidIdentifiers(_ identifier: String) {
        let error = #expect(throws: TransferError.self) { try SessionFolder.name(of: identifier) }
        #expect(error?.code == .usage)
    }

    @Test func ownsOnlyItsDownloads() throws {
        let folder = try TemporaryFolder()
        let session = try SessionFolder(identifier: "s", places: SessionPlaces(state: folder.path, cache: folder.path))
        #expect(session.owns(session.file(task: 3, token: "abc")))
        for other in [
            "/etc/passwd.download", "\(session.path)/../x.download", "\(session.path)/lock", "\(session.path).download",
            "",
        ] {
            #expect(!session.owns(other), "\(other)")
        }
    }

    @Test func aFolderThatOthersCanWriteIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("background/s")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        let error = #expect(throws: TransferError.self) {
            try SessionFolder(identifier: "s", places: SessionPlaces(state: folder.path, cache: folder.path))
        }
        #expect(error?.code == .usage)
    }

    @Test func reportsUnusableFolders() throws {
        let folder = try TemporaryFolder()
        try folder.write([], to: "background")
        let error = #expect(throws: TransferError.self) {
            try SessionFolder(identifier: "s", places: SessionPlaces(state: folder.path, cache: folder.path))
        }
        #expect(error?.code == .cannotWrite)
    }
}
