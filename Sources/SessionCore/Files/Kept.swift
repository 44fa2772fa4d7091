// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// What a kept file holds, as a value.
protocol KeptContent: Sendable {
    /// Of a file that is not there yet.
    init()
    /// - Parameter path: for messages.
    /// - Throws: where going on would lose what the file holds.
    init(parsing bytes: [UInt8], of path: String) throws(TransferError)
    func printed() -> [UInt8]
}

/// A value in memory and, where there is one, in a ``KeptFile``. From any thread.
///
/// The mutex guards the value alone; files are read and written outside of it.
final class Kept<Content: KeptContent>: Sendable {
    private struct Guarded {
        var content: Content
        var version: KeptFile.Version?
    }

    private let file: KeptFile?
    private let guarded: Mutex<Guarded>

    /// Reads the file.
    /// - Parameter file: `nil`: in memory alone.
    init(file: KeptFile?) throws(TransferError) {
        self.file = file
        let (content, version) = try Self.load(file)
        guarded = Mutex(Guarded(content: content, version: version))
    }

    /// In memory alone.
    init() {
        file = nil
        guarded = Mutex(Guarded(content: Content(), version: nil))
    }

    var isInFile: Bool { file != nil }

    /// The value, read anew where somebody else changed the file. Where that cannot be read now, what was known before.
    var content: Content {
        if let file, !file.isCurrent(guarded.withLock { $0.version }), let (content, version) = try? Self.load(file) {
            guarded.withLock { $0 = Guarded(content: content, version: version) }
            return content
        }
        return guarded.withLock { $0.content }
    }

    /// Changes what is in the file now, whoever wrote it, and writes it where that made a difference.
    /// - Throws: code `usage` or `cannotWrite` where the file cannot be used; then nothing was changed.
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

    private static func load(_ file: KeptFile?) throws(TransferError) -> (Content, KeptFile.Version?) {
        guard let file, let (bytes, version) = try file.read() else { return (Content(), nil) }
        return (try Content(parsing: bytes, of: file.path), version)
    }
}
