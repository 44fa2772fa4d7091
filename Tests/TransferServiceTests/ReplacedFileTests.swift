// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// A download that replaces a file keeps who may read it.
@Suite(.timeLimit(.minutes(10))) struct ReplacedFileTests {
    @Test(arguments: [0o600, 0o640, 0o444, 0o755] as [mode_t]) func keepsPermissions(_ mode: mode_t) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1], to: "f")
        chmod(path, mode)
        let whileReceived = Mutex<mode_t?>(nil)
        let partial = path + ".fileq-part"
        let queue = LocalQueue(
            transport: FakeTransport { _, _ in
                whileReceived.withLock { $0 = Self.mode(of: partial) }
                return .init(200, [.eTag: "\"1\""], body: Array("new".utf8))
            })
        var download = Download(destination: .file(path: path))
        download.overwrites = true
        _ = try await queue.add(
            [Spec(url: try TransferURL("http://a.test/f"), operation: .download(download))], paused: false)
        while try await queue.snapshot().transfers.first?.state.isEnded != true {
            try await Task.sleep(for: .milliseconds(5))
        }
        await queue.shutDown()
        #expect(try folder.read("f") == Array("new".utf8) && Self.mode(of: path) == mode)
        // Never more open than the file that it replaces, but for this program.
        let received = try #require(whileReceived.withLock { $0 })
        #expect(received & ~(mode | 0o600) == 0)
    }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
