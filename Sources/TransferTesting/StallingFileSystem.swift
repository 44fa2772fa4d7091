// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
package import Platform
import Synchronization

/// A mounted file system of one folder in memory, whose server replies to nothing while it is stalled. For root.
///
/// It serves what transfers ask for, by the kernel's protocol (linux/fuse.h, version 7.31).
package final class StallingFileSystem: Sendable {
    package enum Operation: UInt32, Sendable { case read = 15, write = 16, rename = 45 }

    private let mount: FuseMount
    private let server: Server

    package static var isPossible: Bool { FuseMount.isPossible }

    /// - Parameters:
    ///   - closingError: the errno of every close(2); `nil`: none fails.
    ///   - longestName: in bytes; then names with a colon are refused, too. `nil`: any name is taken.
    /// - Throws: what the system reports.
    package init(closingError: Int32? = nil, longestName: Int? = nil) throws(SystemError) {
        mount = try FuseMount()
        server = Server()
        server.folder.withLock { ($0.closingError, $0.longestName) = (closingError, longestName) }
        let (device, server) = (mount.device, server)
        DispatchQueue(label: "fileq.testing.fuse").async { server.run(device) }
        if closingError != nil { return }
        // From the first close on the kernel knows that this server has no FLUSH. Otherwise each child process that
        // another test starts would send it one as it closes its copies of the descriptors, and its parent would wait.
        put([], at: "closed")
        Glibc.close(Glibc.open(file("closed"), O_RDONLY | O_CLOEXEC))
        server.folder.withLock { $0.remove("closed") }
    }

    package var path: String { mount.path }
    package func file(_ name: String) -> String { mount.file(name) }

    /// What a file holds, without a call on the file system.
    package func bytes(of name: String) -> [UInt8]? { server.folder.withLock { $0.bytes(of: name) } }
    package func put(_ bytes: [UInt8], at name: String) { server.folder.withLock { $0.put(bytes, at: name) } }
    package var names: [String] { server.folder.withLock { $0.names } }

    // MARK: The switch

    package var isStalled: Bool { server.control.withLock { $0.isStalled } }
    package func stall() { server.control.withLock { $0.isStalled = true } }
    /// Stalls with the first such call at `offset` or behind it, which is not made before ``respond()``.
    package func stall(at operation: Operation, from offset: Int64 = 0) {
        server.control.withLock { $0.trigger = (operation, offset) }
    }

    package func respond() {
        server.control.withLock { ($0.isStalled, $0.trigger) = (false, nil) }
        server.wakeUp.signal()
    }

    deinit {
        server.control.withLock { $0.isOver = true }
        server.wakeUp.signal()
        mount.unmount()
        // It reads the device until then.
        server.ended.wait()
    }

    private final class Server: Sendable {
        struct Control {
            var isStalled = false
            var trigger: (operation: Operation, offset: Int64)?
            var isOver = false
        }

        let control = Mutex(Control())
        let wakeUp = DispatchSemaphore(value: 0)
        let folder = Mutex(FuseFolder())
        let ended = DispatchSemaphore(value: 0)

        func run(_ device: Int32) {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = read(device, &buffer, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN || errno == ENOENT { continue }
                guard count >= FuseRequest.headerSize else { break }
                guard let reply = reply(to: FuseRequest(Array(buffer[..<count]))) else { continue }
                _ = reply.withUnsafeBytes { write(device, $0.baseAddress, $0.count) }
            }
            ended.signal()
        }

        private func reply(to request: FuseRequest) -> [UInt8]? {
            control.withLock { control in
                guard let (operation, offset) = control.trigger, request.opcode == operation.rawValue,
                    operation == .rename || request.int64(8) >= offset
                else { return }
                control.isStalled = true
            }
            while control.withLock({ $0.isStalled && !$0.isOver }) { wakeUp.wait() }
            return folder.withLock { $0.reply(to: request) }
        }
    }
}
