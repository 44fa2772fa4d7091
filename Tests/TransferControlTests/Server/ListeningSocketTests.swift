// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ListeningSocketTests {
    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func socketAndFolderArePrivate() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("deep/er/s")
        let socket = try ListeningSocket(path: path)
        #expect(Self.mode(path) == 0o600)
        #expect(Self.mode(folder.file("deep/er")) == 0o700)
        #expect(Self.mode(path + ".lock") == 0o600)
        socket.end()
        #expect(Self.mode(path) == nil)
    }

    @Test(arguments: [mode_t(0o777), 0o1777, 0o770, 0o702]) func rejectsAFolderOthersCanWrite(_ mode: mode_t) throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, mode)
        let error = #expect(throws: TransferError.self) { try ListeningSocket(path: folder.file("s")) }
        #expect(error?.code == .usage)
        #expect(folder.names.isEmpty)
    }

    @Test func tooLongPathsNameTheRemedy() throws {
        let folder = try TemporaryFolder()
        let room = 107 - folder.path.utf8.count - 1
        let longest = try ListeningSocket(path: folder.file(String(repeating: "x", count: room)))
        longest.end()
        let error = #expect(throws: TransferError.self) {
            try ListeningSocket(path: folder.file(String(repeating: "x", count: room + 1)))
        }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("at most 107 bytes, this one has 108") == true)
        #expect(error?.fields.variant == .longSocketPath)
    }

    @Test func doesNotReplaceARunningServer() throws {
        let folder = try TemporaryFolder()
        let first = try ListeningSocket(path: folder.file("s"))
        let error = #expect(throws: TransferError.self) { try ListeningSocket(path: folder.file("s")) }
        #expect(error?.message.contains("listens here already") == true)
        #expect(Self.mode(folder.file("s")) != nil)
        first.end()
        try ListeningSocket(path: folder.file("s")).end()
    }

    /// One that knows nothing of the lock lives all the same.
    @Test func doesNotReplaceAnotherProgramsSocket() throws {
        let folder = try TemporaryFolder()
        let stranger = try UnixSocket.make()
        defer { close(stranger) }
        #expect(try UnixSocket.withAddress(folder.file("s")) { bind(stranger, $0, $1) } == 0)
        #expect(listen(stranger, 1) == 0)
        #expect(throws: TransferError.self) { try ListeningSocket(path: folder.file("s")) }
        #expect(Self.mode(folder.file("s")) != nil)
    }

    @Test func replacesTheSocketOfADeadServer() throws {
        let folder = try TemporaryFolder()
        let dead = try UnixSocket.make()
        #expect(try UnixSocket.withAddress(folder.file("s")) { bind(dead, $0, $1) } == 0)
        close(dead)
        #expect(Self.mode(folder.file("s")) != nil)
        let socket = try ListeningSocket(path: folder.file("s"))
        #expect(Self.mode(folder.file("s")) == 0o600)
        socket.end()
    }

    @Test func doesNotReplaceOtherFiles() throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: "s")
        #expect(throws: TransferError.self) { try ListeningSocket(path: folder.file("s")) }
        #expect(try folder.read("s") == [1])
    }

    /// A path that another has taken over meanwhile is not this socket's to remove.
    @Test func doesNotRemoveAnotherSocket() throws {
        let folder = try TemporaryFolder()
        let first = try ListeningSocket(path: folder.file("s"))
        unlink(folder.file("s"))
        try folder.write([1], to: "s")
        first.end()
        #expect(folder.exists("s"))
    }

    @Test func acceptsOnlyListeningUnixSockets() throws {
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { pair.forEach { close($0) } }
        #expect(throws: TransferError.self) { try ListeningSocket(inherited: pair[0]) }
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(throws: TransferError.self) { try ListeningSocket(inherited: file) }
    }

    @Test(
        arguments: [
            (nil, nil, nil), ("7", nil, nil), (nil, "1", nil), ("8", "1", nil), ("7", "0", nil), ("x", "1", nil),
            ("7", "x", nil), ("7", "1", 3),
        ] as [(String?, String?, Int32?)])
    func activation(_ pid: String?, _ count: String?, _ descriptor: Int32?) throws {
        #expect(try SocketActivation.descriptor(listenPID: pid, listenFDs: count, pid: 7) == descriptor)
    }

    @Test func rejectsSeveralSockets() {
        #expect(throws: TransferError.self) { try SocketActivation.descriptor(listenPID: "7", listenFDs: "2", pid: 7) }
    }
}
