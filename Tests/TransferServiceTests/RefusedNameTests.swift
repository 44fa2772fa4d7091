// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel
@testable import TransferService
import TransferTesting

/// File systems that do not take every name, such as eCryptfs and vfat.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: StallingFileSystem.isPossible, "only root may mount a file system that refuses names"))
struct RefusedNameTests {
    private static let long = String(repeating: "n", count: 136) + ".bin"
    private static let longer = String(repeating: "n", count: 200) + ".bin"

    /// - Returns: the name to which such a one is shortened.
    private static func shortened(_ name: String) -> String {
        SafeFileName.accepted(inPlaceOf: name, after: ENAMETOOLONG, maximumBytes: 143) ?? ""
    }

    /// The address proposes a name, and the server perhaps another one.
    @Test(
        arguments: [
            ("a:b.bin", nil, "a_b.bin"), ("f", "a:b.bin", "a_b.bin"), (long, nil, shortened(long)),
            ("f", longer, shortened(longer)),
        ] as [(String, String?, String)])
    func takesANameThatTheFileSystemTakes(_ name: String, _ proposed: String?, _ expected: String) async throws {
        let bytes = patternedBytes(100_000)
        let fields = proposed.map { ["Content-Disposition: attachment; filename=\"\($0)\""] } ?? []
        let server = try RangeServer(bytes, rate: 10_000_000, fields: fields)
        let (refusing, stage) = (try StallingFileSystem(longestName: 143), try QueueStage())
        let end = try await stage.end(
            of: stage.download(server.url()) { $1.destination = .folder(path: refusing.path, name: name) })
        #expect(end.state == .completed, "\(end.error?.message ?? "")")
        #expect(end.file == refusing.file(expected))
        #expect(refusing.names == [expected])
        #expect(refusing.bytes(of: expected) == bytes)
        #expect(server.requests.count == 1)
        await stage.queue.shutDown()
    }
}
