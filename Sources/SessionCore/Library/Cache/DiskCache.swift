// SPDX-License-Identifier: MIT

import Synchronization

/// Stored responses in a folder, one file each. Every call blocks.
///
/// Any disk error means that a response is not stored. Several processes may share a folder: files are replaced
/// atomically, and the index is rebuilt after a change by another process.
final class DiskCache: Sendable {
    private struct State {
        var hasOpened = false
        var folder: CacheFolder?
        var index = RecencyIndex()
        /// The change for which `index` is valid; `nil`: it must be rebuilt.
        var generation: UInt64?
        var lastUse: Int64 = 0
    }

    let capacity: Int
    private let path: String
    private let clock: @Sendable () -> Int64
    /// Held during file system calls that change the folder.
    private let state = Mutex(State())

    /// Accesses nothing; the first call creates and counts the folder.
    init(path: String, capacity: Int, clock: @escaping @Sendable () -> Int64) {
        self.path = path
        self.capacity = capacity
        self.clock = clock
    }

    /// The maximum size of a file.
    private var entryLimit: Int { capacity / 20 }

    func load(_ key: String) -> CachedResponse? {
        guard let (folder, time) = use() else { return nil }
        let name = CacheFolder.name(of: key)
        guard let bytes = folder.read(name, limit: entryLimit, lastUse: time) else {
            if state.withLock({ $0.index.contains(name) }) { remove(key) }
            return nil
        }
        state.withLock { $0.index.touch(name, lastUse: time) }
        let response = CacheFile.decode(bytes, key: key)
        if response == nil { remove(key) }
        return response
    }

    /// Replaces the response for `key`; if `response` is too large or cannot be written, nothing remains.
    func store(_ response: CachedResponse, _ key: String) {
        guard let bytes = CacheFile.encode(response, key: key), bytes.count <= entryLimit, let (folder, time) = use(),
            let temporary = folder.writeTemporary(bytes, storedTime: response.storedTime, lastUse: time)
        else {
            return remove(key)
        }
        let name = CacheFolder.name(of: key)
        change { state, folder in
            state.index.remove(name)
            evict(to: capacity - bytes.count, &state, folder)
            if folder.place(temporary, as: name) {
                state.index.insert(name, size: bytes.count, lastUse: time)
            } else {
                folder.remove(name)
            }
            return true
        }
    }

    func remove(_ key: String) {
        change { state, folder in
            state.index.remove(CacheFolder.name(of: key))
            folder.remove(CacheFolder.name(of: key))
            return true
        }
    }

    /// - Parameter time: seconds since 1970; `nil`: all.
    func removeAll(since time: Int64?) {
        change { state, folder in
            for entry in folder.entries() where time.map({ entry.storedTime >= $0 }) ?? true {
                folder.remove(entry.name)
                state.index.remove(entry.name)
            }
            return true
        }
    }

    var usage: Int {
        change { _, _ in false }
        return state.withLock { $0.index.size }
    }

    // MARK: State

    /// The folder, and a time later than all previous ones.
    private func use() -> (CacheFolder, Int64)? {
        if !state.withLock({ $0.hasOpened }) { change { _, _ in false } }
        return state.withLock { state in
            guard let folder = state.folder else { return nil }
            state.lastUse = max(state.lastUse &+ 1, clock())
            return (folder, state.lastUse)
        }
    }

    /// Runs `body` with a valid index, while no other process changes the folder.
    /// - Parameter body: returns whether it changed the folder.
    private func change(_ body: (inout State, CacheFolder) -> Bool) {
        state.withLock { state in
            if !state.hasOpened {
                state.hasOpened = true
                state.folder = CacheFolder(path: path)
            }
            guard let folder = state.folder else { return }
            let lock = CacheLock(folder)
            var hasChanged = false
            if lock.generation == nil || lock.generation != state.generation {
                hasChanged = count(&state, folder)
            }
            if body(&state, folder) { hasChanged = true }
            state.generation = hasChanged ? lock.advance() : lock.generation
        }
    }

    /// Rebuilds the index from the folder.
    /// - Returns: whether files were evicted.
    private func count(_ state: inout State, _ folder: CacheFolder) -> Bool {
        state.index = RecencyIndex()
        var hasRemoved = false
        for entry in folder.entries() {
            if entry.size <= entryLimit {
                state.index.insert(entry.name, size: entry.size, lastUse: entry.lastUse)
            } else {
                folder.remove(entry.name)
                hasRemoved = true
            }
        }
        return evict(to: capacity, &state, folder) || hasRemoved
    }

    @discardableResult
    private func evict(to limit: Int, _ state: inout State, _ folder: CacheFolder) -> Bool {
        let names = state.index.evict(to: limit)
        for name in names { folder.remove(name) }
        return !names.isEmpty
    }
}
