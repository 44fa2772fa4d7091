// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ServicePlacesTests {
    @Test(
        arguments: [
            (["HOME": "/home/a"], "/home/a/.local/state/fileq", "/home/a/.local/state/fileq/run/control.sock"),
            (
                ["HOME": "/home/a", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r/"], "/s/fileq",
                "/r/fileq/control.sock"
            ),
            (
                ["HOME": "/home/a", "XDG_RUNTIME_DIR": "relative"], "/home/a/.local/state/fileq",
                "/home/a/.local/state/fileq/run/control.sock"
            ),
            (["FILEQ_HOME": "/f", "XDG_RUNTIME_DIR": "/r"], "/f", "/f/run/control.sock"),
        ] as [([String: String], String, String)])
    func followTheEnvironment(_ environment: [String: String], _ state: String, _ socket: String) {
        let places = ServicePlaces { environment[$0] }
        #expect(places.state == state)
        #expect(places.socket == socket)
        #expect(places.lock == "\(state)/service.lock")
        #expect(places.log == "\(state)/service.log")
    }

    private func places(_ home: String) -> ServicePlaces { ServicePlaces { $0 == "FILEQ_HOME" ? home : nil } }

    @Test func createsAPrivateFolder() throws {
        let folder = try TemporaryFolder()
        try places(folder.file("deep/er")).prepare()
        var status = stat()
        #expect(stat(folder.file("deep/er"), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o700)
        try places(folder.file("deep/er")).prepare()
    }

    @Test func rejectsAFolderOthersCanWrite() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o770)
        let error = #expect(throws: TransferError.self) { try places(folder.path).prepare() }
        #expect(error?.code == .cannotWrite)
        #expect(error?.fields.variant == .writableByOthers)
    }

    @Test func namesAFolderThatCannotBeCreated() {
        let error = #expect(throws: TransferError.self) { try places("/proc/fileq").prepare() }
        #expect(error?.code == .cannotWrite)
        #expect(error?.message.hasPrefix("/proc/fileq: cannot write: ") == true)
    }

    /// As for accounts of the system.
    @Test(arguments: [(EACCES, true), (EPERM, true), (EROFS, true), (ENOTDIR, true), (ENOENT, false)])
    func namesTheRemedyForHomesOfOthers(code: Int32, isNamed: Bool) {
        let error = ServicePlaces.noFolder("/nonexistent", code)
        #expect(error.code == .cannotWrite && error.systemErrno == code)
        #expect(error.fields.variant == (isNamed ? .foreignFolder : nil))
    }

    @Test func tooLongPathsNameTheRemedy() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: TransferError.self) {
            try places(folder.file(String(repeating: "x", count: 100))).prepare()
        }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("107 bytes") == true)
        #expect(error?.fields.variant == .longSocketPath)
        #expect(folder.names.isEmpty)
    }
}
