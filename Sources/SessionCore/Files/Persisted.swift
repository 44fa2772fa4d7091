// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// The content of a stored file, as a value.
protocol PersistentContent: Sendable {
    /// The value without a file.
    init()
    /// - Parameter path: for messages.
    /// - Throws: if continuing would lose the file's content.
    init(parsing bytes: [UInt8], of path: String) throws(TransferError)
    func printed() -> [UInt8]
}

/// A value in memory, and optionally in a ``PersistentFile``. Thread-safe.
///
/// The mutex guards the value only; file I/O is outside of it.
final class Persisted<Content: PersistentContent>: Sendable {
    private struct Guarded {
        var content: Content
        var version: PersistentFile.Version?
    }

    private let file: PersistentFile?
    private let guarded: Mutex<Guarded>

    /// Reads the file.
    /// - Parameter file: `nil`: memory only.
    init(file: PersistentFile?) throws(TransferError) {
        self.file = file
        let (content, version) = try Self.load(file)
        guarded = Mutex(Guarded(content: content, version: version))
    }

    /// In memory only.
    init() {
        file = nil
        guarded = Mutex(Guarded(content: Content(), version: nil))
    }

    var isInFile: Bool { file != nil }

    /// The value, reloaded if the file has changed. If that fails, the last known value.
    var content: Content {
        if let file, !file.isCurrent(guarded.withLock { $0.version }), let (content, version) = try? Self.load(file) {
            guarded.withLock { $0 = Guarded(content: content, version: version) }
            return content
        }
        return guarded.withLock { $0.content }
    }

    /// Changes the current content of the file, and writes it if that made a difference.
    /// - Throws: code `usage` or `cannotWrite` if the file is unusable; then nothing has changed.
    func change(_ body: (inout Content) -> Void) throws(TransferError) {
        guard let file else { return guarded.withLock { body(&$0.content) } }
        try file.locked { () throws(TransferError) in
            let found = try file.read()
            var content = Content()
            if let found { content = try Content(parsing: found.bytes, of: file.path) }
            body(&content)
            let bytes = content.printed()
            let version = found?.bytes == bytes ? found?.version : try file.replace(with: bytes)
            guarded.withLock { $0 = Guarded(content: content, version: version) }
        }
    }

    private static func load(_ file: PersistentFile?) throws(TransferError) -> (Content, PersistentFile.Version?) {
        guard let file, let (bytes, version) = try file.read() else { return (Content(), nil) }
        return (try Content(parsing: bytes, of: file.path), version)
    }
}
