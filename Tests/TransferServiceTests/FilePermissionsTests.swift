// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// A download has the permissions that the umask of who added it leaves, whatever that of the service is.
@Suite(.timeLimit(.minutes(10))) struct FilePermissionsTests {
    struct Row: Sendable {
        var umask: UInt32?
        var own: UInt32?
        var atFirst: UInt32
        var atLast: UInt32?
        var ofEarlierProcess: UInt32?
    }

    @Test(arguments: [
        Row(umask: nil, own: 0o022, atFirst: 0o666, atLast: nil, ofEarlierProcess: nil),
        Row(umask: 0o022, own: 0o022, atFirst: 0o666, atLast: nil, ofEarlierProcess: 0o644),
        Row(umask: 0o077, own: 0o022, atFirst: 0o600, atLast: 0o600, ofEarlierProcess: 0o600),
        Row(umask: 0o002, own: 0o077, atFirst: 0o664, atLast: 0o664, ofEarlierProcess: 0o664),
        Row(umask: 0o027, own: nil, atFirst: 0o640, atLast: 0o640, ofEarlierProcess: 0o640),
    ])
    func followTheUmaskOfTheTransfer(_ row: Row) {
        let permissions = FilePermissions(umask: row.umask, own: row.own)
        #expect(permissions.atFirst == row.atFirst)
        #expect(permissions.atLast(isOfEarlierProcess: false) == row.atLast)
        #expect(permissions.atLast(isOfEarlierProcess: true) == row.ofEarlierProcess)
        #expect(permissions.areUsual == (row.umask == nil || row.umask == row.own))
    }

    @Test(arguments: [0o077, 0o027, 0o000], [true, false])
    func reachTheFile(umask: Int, syncs: Bool) async throws {
        let folder = try TemporaryFolder()
        let queue = LocalQueue(
            transport: FakeTransport { _, _ in .init(200, [.eTag: "\"1\""], body: Array("new".utf8)) })
        var spec = Spec(
            url: try TransferURL("http://a.test/f"),
            operation: .download(Download(destination: .file(path: folder.file("f")), syncs: syncs)))
        spec.options.umask = umask
        _ = try await queue.add([spec], paused: false)
        #expect(await polled { (try? await queue.snapshot())?.transfers.first?.state.isEnded == true })
        await queue.shutDown()
        var status = stat()
        #expect(stat(folder.file("f"), &status) == 0 && Int(status.st_mode & 0o777) == 0o666 & ~umask)
        #expect(try folder.read("f") == Array("new".utf8))
    }

    /// A file that is replaced keeps its own.
    @Test func replacedFilesKeepTheirs() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1], to: "f")
        chmod(path, 0o640)
        let queue = LocalQueue(
            transport: FakeTransport { _, _ in .init(200, [.eTag: "\"1\""], body: Array("new".utf8)) })
        var spec = Spec(
            url: try TransferURL("http://a.test/f"),
            operation: .download(Download(destination: .file(path: path), overwrites: true)))
        spec.options.umask = 0o077
        _ = try await queue.add([spec], paused: false)
        #expect(await polled { (try? await queue.snapshot())?.transfers.first?.state.isEnded == true })
        await queue.shutDown()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try folder.read("f") == Array("new".utf8))
    }
}
