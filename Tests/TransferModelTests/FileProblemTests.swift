// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel

@Suite struct FileProblemTests {
    private static let denied: [(FileProblem.Kind, String)] = [
        (.write, "cannot write"), (.read, "cannot read"), (.readAgain, "cannot be read again for its checksum"),
        (.rename, "cannot be named again"), (.check, "cannot be checked"), (.open, "cannot open"),
        (.lock, "cannot lock"), (.sync, "cannot be made durable"),
        (.syncName, "has its name, which cannot be made durable"),
        (.makeFolder, "cannot make the folder of the socket"), (.useFolder, "cannot use the folder of the socket"),
        (.makeSocket, "cannot make the socket"), (.removeSocket, "cannot remove the old socket"),
        (.restrictSocket, "cannot keep the socket to one user"), (.listen, "cannot listen"),
        (.probe, "cannot find out whether a service listens there"),
        (.connect, "cannot connect to the background service"), (.start, "cannot start the background service"),
        (.readInput, "standard input: cannot read"), (.readSource, "cannot read the source"),
        (.readCookies, "cannot read the cookies"), (.writeCookies, "cannot write the cookies"),
        (.lockCookies, "cannot lock the cookies"), (.useInBackground, "cannot be used for a background session"),
    ]

    private static let states: [(FileProblem, String)] = [
        (.init(.notFolder), "is not a folder"), (.init(.notRegularFile), "is not a regular file"),
        (.init(.notSocket), "is there already and is no socket"), (.init(.otherUser), "belongs to another user"),
        (.init(.otherUsersService), "another user's service listens here"),
        (.init(.writableByOthers), "other users can write in this folder, so it is not used"),
        (.init(.readOnly), "cannot write: the file, its folder or the file system is read-only"),
        (.init(.exists), "exists already"), (.init(.inUse), "this queue is open in another process"),
        (.init(.inUse, holder: 7), "this queue is open in process 7"),
        (.init(.nameInUse), "another transfer of this run has that name"),
        (.init(.nameInUse, holder: 7), "transfer 7 is writing this file"), (.init(.closed), "the queue is closed"),
        (.init(.newerVersion), "was written by a newer version of this program"),
        (.init(.unresponsive), "the folder does not respond"),
        (.init(.tooLarge, bytes: 8), "would hold more than 8 bytes"),
        (.init(.longSocketPath, bytes: 1), "a socket's path has at most 1 bytes, this one has 2"),
        (.init(.invalidSocketPath), "the socket's path is empty or holds a NUL"),
        (.init(.deleted), "was deleted or moved away while it was being written"),
        (
            .init(.cutShort, bytes: 3, position: 5),
            "was cut short while it was being written and holds 3 of 5 bytes"
        ),
        (
            .init(.written, bytes: 7, position: 5),
            "holds 7 bytes instead of 5; another program has written to it"
        ),
        (.init(.lacksBytes, bytes: 4, position: 9), "cannot read 4 bytes from byte 9 on"),
        (.init(.noSize), "has bytes, but no size"), (.init(.changed), "changed while it was being sent"),
        (.init(.changedBetween), "changed during its upload"),
        (.init(.changedBetween, bytes: 5), "changed after 5 bytes of it were uploaded"),
        (.init(.shorter, bytes: 3, position: 5), "holds 3 of the 5 bytes to resume from"),
        (.init(.symbolicLink), "is a symbolic link; name the file itself"),
        (.init(.hardLink), "is a hard link to a file with another name"),
        (.init(.beingWritten), "another process is writing this file"),
        (.init(.beingChanged), "another process is changing this file and does not end"),
        (
            .init(.readableByOthers),
            "other users can read this file, so it is not used; 'chmod 600' keeps it to yourself"
        ),
        (
            .init(.changeableByOthers),
            "other users can write this file, so it is not used; 'chmod 600' keeps it to yourself"
        ),
        (.init(.implausible, bytes: 8), "holds more than 8 bytes; it cannot be what it should be"),
        (.init(.readPartly), "cannot read all of it"), (.init(.notCredentials), "is no list of credentials"),
        (.init(.otherVersion), "is of version 0, which this program does not read"),
        (.init(.largeCookies), "is too large for a file of cookies"),
    ]

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

    @Test(arguments: denied) func failedCallsSayWhy(_ kind: FileProblem.Kind, _ text: String) {
        let error = TransferError(.other, file: kind, path: "/x", systemErrno: EACCES)
        #expect(error.message == "/x: \(text): permission denied")
        #expect(TransferError(.other, file: kind).message == text)
    }

    @Test(arguments: states) func statesNeedNoReason(_ problem: FileProblem, _ text: String) {
        let error = TransferError(.other, file: problem, path: "/x", systemErrno: EBUSY)
        #expect(error.message == "/x: \(text)")
    }

    @Test func everyKindHasASentence() {
        let tested = Self.denied.map(\.0) + Self.states.map(\.0.kind)
        #expect(Set(tested) == Set(FileProblem.Kind.allCases).subtracting([.unknown]))
    }

    @Test(arguments: denied.map { FileProblem($0.0) } + states.map(\.0)) func survivesCoding(
        _ problem: FileProblem
    ) throws {
        let error = TransferError(.cannotWrite, file: problem, path: "/x", systemErrno: EIO, variant: .diskError)
        #expect(try Self.decoded(JSONEncoder().encode(error)) == error)
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
