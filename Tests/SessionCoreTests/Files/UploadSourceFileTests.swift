// SPDX-License-Identifier: MIT

import Glibc
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct UploadSourceFileTests {
    private func times(_ path: String) -> [timespec] {
        var status = stat()
        stat(path, &status)
        return [status.st_atim, status.st_mtim]
    }

    /// As `rsync --inplace --times` leaves it.
    @Test func detectsARewriteWithTheOldTime() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "source")
        let source = try UploadSourceFile(path: path)
        #expect(!source.hasChanged)
        let before = times(path)
        // The clock of the file system may not have moved on at the first write.
        #expect(
            eventually {
                let descriptor = open(path, O_WRONLY | O_CLOEXEC)
                defer { close(descriptor) }
                pwrite(descriptor, [9, 9, 9] as [UInt8], 3, 0)
                futimens(descriptor, before)
                return source.hasChanged
            })
        #expect(times(path)[1].tv_nsec == before[1].tv_nsec)
    }

    @Test func bytesWithoutASizeAreRejected() throws {
        let error = #expect(throws: TransferError.self) { try UploadSourceFile(path: "/proc/cpuinfo") }
        #expect(error?.code == .cannotReadSource && error?.fields.variant == .sourceWithoutSize)
        let folder = try TemporaryFolder()
        #expect(try UploadSourceFile(path: try folder.write([], to: "empty")).size == 0)
    }

    /// How much of it the server has is not always known yet.
    @Test(
        arguments: [
            (5, "/f: changed after 5 bytes of it were uploaded"), (0, "/f: changed during its upload"),
        ] as [(Int64, String)])
    func saysHowMuchOfTheOldVersionWasUploaded(_ offset: Int64, _ message: String) {
        let error = UploadSourceFile.changeError(of: "/f", after: offset)
        #expect(error.message == message && error.code == .cannotReadSource)
        #expect(error.fields.path == "/f" && error.fields.variant == .sourceChanged)
    }

    @Test func readingDoesNotChangeTheSource() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "source")
        let source = try UploadSourceFile(path: path)
        #expect(try folder.read("source") == [1, 2, 3])
        #expect(!source.hasChanged)
    }
}
