// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Testing
import TransferTesting

@Suite struct DescriptorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ bytes: [UInt8] = []) throws -> Descriptor {
        try Descriptor.open(try folder.write(bytes, to: "file"), O_RDWR)
    }

    @Test func readsFilesAndRanges() throws {
        let bytes = patternedBytes(200_000)
        let file = try file(bytes)
        #expect(try file.read(1000) == Array(bytes[..<1000]))
        #expect(try file.read(200, at: 150_000) == Array(bytes[150_000..<150_200]))
        // The position is where the first call left it.
        #expect(try file.read(upTo: 10) == Array(bytes[1000..<1010]))
        #expect(try file.readToEnd() == Array(bytes[1010...]))
        #expect(try file.read(10) == [])
        #expect(try file.read(1000, at: 199_990) == Array(bytes[199_990...]))
    }

    @Test func readsNoMoreThanTheLimit() throws {
        #expect(try file([1, 2, 3]).readToEnd(limit: 3) == [1, 2, 3])
        #expect(try file([1, 2, 3]).readToEnd(limit: 2) == nil)
    }

    @Test func writesAtPositions() throws {
        let file = try file()
        try file.write([1, 2, 3, 4])
        try file.write([9], at: 1)
        try file.write([5])
        #expect(try folder.read("file") == [1, 9, 3, 4, 5])
        #expect(try file.status().st_size == 5)
    }

    @Test func readsAPipeToItsEnd() throws {
        let (reading, writing) = try Descriptor.pipe()
        try writing.write([1, 2])
        #expect(try reading.read(upTo: 10) == [1, 2])
        try writing.write([3])
        _ = consume writing
        #expect(try reading.readToEnd() == [3])
    }

    @Test func isClosedOnExecAndRelease() throws {
        var file: Descriptor? = try file()
        let number = try #require(file?.number)
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        do { _ = Descriptor(borrowing: number) }
        #expect(fcntl(number, F_GETFD) >= 0)
        var status = stat()
        fstat(number, &status)
        let inode = status.st_ino
        file = nil
        // Another test may have been given the number.
        #expect(fstat(number, &status) != 0 || status.st_ino != inode)
    }

    @Test func failuresNameTheCallAndThePath() throws {
        let path = folder.file("missing/file")
        #expect(throws: SystemError("open", path: path, errno: ENOENT)) { try Descriptor.open(path, O_RDONLY) }
        #expect(throws: SystemError("write", errno: EBADF)) {
            try Descriptor.open(try folder.write([], to: "read"), O_RDONLY).write([1])
        }
        #expect(throws: SystemError("read", errno: EISDIR)) { try Descriptor.open(folder.path, O_RDONLY).read(1) }
    }

    @Test func opensBelowAFolder() throws {
        try folder.write([7], to: "inside")
        let parent = try Descriptor.open(folder.path, O_RDONLY | O_DIRECTORY)
        #expect(try Descriptor.open("inside", O_RDONLY, in: parent).read(2) == [7])
    }

    @Test func usesTheCLibrarysTexts() {
        #expect(SystemError.text(EACCES) == "Permission denied")
        #expect(SystemError("open", path: "/x", errno: EACCES).description == "/x: open: Permission denied")
        #expect(SystemError("pipe2", errno: EMFILE).description == "pipe2: Too many open files")
    }
}
