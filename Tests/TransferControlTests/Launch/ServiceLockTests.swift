// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ServiceLockTests {
    @Test func oneHolderNamedInTheFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        #expect(ServiceLock.holder(of: path) == nil)
        do {
            let lock = try ServiceLock(path: path)
            #expect(ServiceLock.holder(of: path) == .init(pid: getpid()))
            lock.announce(socket: "/run/s")
            #expect(ServiceLock.holder(of: path) == .init(pid: getpid(), socket: "/run/s"))
            let error = #expect(throws: TransferError.self) { try ServiceLock(path: path) }
            #expect(error?.code == .other)
            #expect(error?.message.contains("process \(getpid())") == true)
            withExtendedLifetime(lock) {}
        }
        #expect(ServiceLock.holder(of: path) == nil)
        // What the one before has left is not taken for the next one's words.
        let next = try ServiceLock(path: path)
        #expect(ServiceLock.holder(of: path) == .init(pid: getpid()))
        withExtendedLifetime(next) {}
    }

    @Test func reportsAnUnwritableFolder() {
        let error = #expect(throws: TransferError.self) { try ServiceLock(path: "/proc/fileq.lock") }
        #expect(error?.code == .cannotWrite)
    }

    @Test func doesNotFollowALink() throws {
        let folder = try TemporaryFolder()
        symlink("/dev/null", folder.file("lock"))
        #expect(throws: TransferError.self) { try ServiceLock(path: folder.file("lock")) }
        #expect(ServiceLock.holder(of: folder.file("lock")) == nil)
    }

    @Test(
        arguments: [
            ("", nil, nil), ("12\n", 12, nil), ("12\n/run/s\n", 12, "/run/s"), ("12\n/run/s", 12, nil),
            ("12", nil, nil),
            ("-1\n", nil, nil), ("0\n", nil, nil), ("x\n/run/s\n", nil, "/run/s"), ("12\nrelative\n", 12, nil),
        ] as [(String, Int32?, String?)])
    func describesTheFile(_ text: String, _ pid: Int32?, _ socket: String?) {
        #expect(ServiceLock.parse(text) == .init(pid: pid, socket: socket))
    }
}
