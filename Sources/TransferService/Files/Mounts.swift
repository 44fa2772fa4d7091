// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization
import TransferModel

/// The current mount table. From any thread; no call waits for a file system other than procfs and local ones.
final class Mounts: Sendable {
    private struct Guarded {
        /// Polled: it reports `POLLPRI` once the table has changed since it was opened.
        var source: Descriptor?
        var table = MountTable(parsing: "")
        /// By folder: for ten thousand files in one folder the path is resolved once.
        var known: [String: MountTable.Mount] = [:]
    }

    private static let maximumKnown = 1000
    private let path: String
    private let guarded = Mutex(Guarded())

    /// - Parameter path: of the table.
    init(path: String = "/proc/self/mountinfo") { self.path = path }

    /// - Parameters:
    ///   - path: a relative one begins in the current folder.
    ///   - followsLast: whether a link at the end of `path` is followed.
    func mount(of path: String, followsLast: Bool = false) -> MountTable.Mount {
        guarded.withLock { guarded in
            refresh(&guarded)
            let folder = ParentFolder.path(of: path)
            let place = Self.absolute(path)
            // Where another file system is mounted, that of the folder is not its own.
            let isKept = !followsLast && guarded.table.mount(exactlyAt: place) == nil
            // A link that is replaced meanwhile is noticed with the next change of the table.
            if isKept, let known = guarded.known[folder] { return known }
            let found = guarded.table.mount(of: place, followsLast: followsLast)
            if isKept {
                if guarded.known.count >= Self.maximumKnown { guarded.known = [:] }
                guarded.known[folder] = found
            }
            return found
        }
    }

    private func refresh(_ guarded: inout Guarded) {
        if let source = guarded.source {
            var request = pollfd(fd: source.number, events: Int16(POLLPRI), revents: 0)
            guard poll(&request, 1, 0) > 0 else { return }
        }
        guarded.source = try? Descriptor.open(path, O_RDONLY)
        let bytes = (try? guarded.source?.readToEnd()) ?? []
        guarded.table = MountTable(parsing: String(decoding: bytes, as: UTF8.self))
        guarded.known = [:]
    }

    private static func absolute(_ path: String) -> String {
        guard !path.beginsWithSlash else { return path }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            getcwd(buffer.baseAddress, buffer.count) == nil ? "/" : String(cString: buffer.baseAddress!)
        } + "/" + path
    }
}
