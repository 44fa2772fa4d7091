// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel

@Suite struct FileProblemTests {
    @Test(arguments: [
        (EMFILE, "this program has as many files open as it may"), (ENOMEM, "the system has no memory left"),
        (ENFILE, "the system has as many files open as it may"),
    ])
    func saysWhatTheSystemLacks(_ errno: Int32, _ text: String) {
        let error = TransferError(.cannotWrite, file: .write, path: "/x", systemErrno: errno)
        #expect(error.message == "/x: cannot write: \(text)")
    }

    private static func decoded(_ json: Data) throws -> TransferError {
        try JSONDecoder().decode(TransferError.self, from: json)
    }

    @Test func writesWhatItHas() throws {
        let json = try JSONEncoder().encode(TransferError(.cannotWrite, file: .write, path: "/x", systemErrno: EIO))
        let members = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(Set(members.keys) == ["code", "message", "systemErrno", "path", "file"])
        #expect(members["file"] as? [String: String] == ["kind": "write"])
    }

    /// Errors of earlier versions have none, those of later ones perhaps a kind that is not known here.
    @Test func readsOtherVersions() throws {
        let earlier = try Self.decoded(Data(#"{"code":23,"message":"/x: cannot write: no","systemErrno":5}"#.utf8))
        #expect(earlier.fields.file == nil && earlier.message == "/x: cannot write: no")
        let later = try Self.decoded(
            Data(#"{"code":23,"message":"/x: burns","path":"/x","file":{"kind":"burns"}}"#.utf8))
        #expect(later.fields.file?.kind == .unknown)
        #expect(later.fields.file?.message(path: "/x", errno: nil) == nil)
        #expect(later.message == "/x: burns")
    }

    @Test func anotherSentenceDropsTheValue() {
        var error = TransferError(.cannotWrite, file: .write, path: "/x", systemErrno: EIO)
        error.message = "something else"
        #expect(error.fields.file == nil && error.fields.path == "/x")
    }

    @Test func errnoRefinesTheCode() {
        #expect(TransferError(.cannotWrite, file: .write, path: "/x", systemErrno: ENOSPC).code == .diskFull)
        #expect(TransferError(.cannotWrite, file: .exists, path: "/x", systemErrno: EEXIST).code == .destinationExists)
    }
}
