// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
public import TransferModel

/// Stored answers by their URL, in memory and on disk: the contract of `URLCache`. One answer a URL: another variant
/// (`Vary`) replaces the one before.
///
/// May be used from any thread. Every call but ``currentMemoryUsage`` may wait for the file system where there is a
/// folder: make them on a queue on which waiting is allowed, and neither on an engine's thread nor on Swift's pool.
/// None of them fails: what cannot be read, is damaged or is not the cache's own counts as not stored.
///
/// Several processes, and several caches of one process, may share a folder. Each still answers from its own memory
/// what another one has replaced or removed on disk.
public final class ResponseCache: Sendable {
    public let memoryCapacity: Int
    public let diskCapacity: Int
    private let memory: Mutex<MemoryCache>
    private let disk: DiskCache?

    /// Does not touch the folder; that is made, counted and cut down to `diskCapacity` with the first call that needs
    /// it.
    ///
    /// - Parameters:
    ///   - memoryCapacity: bytes; an answer's head counts too.
    ///   - diskCapacity: bytes of all files together.
    ///   - folder: a path of the cache's own, made with mode 0700. `nil`: nothing is written. Where it is a link,
    ///     belongs to another user or may be written by others, nothing is written either.
    ///   - clock: nanoseconds since 1970, by which files are ordered across restarts.
    public init(
        memoryCapacity: Int = 4 << 20, diskCapacity: Int = 20 << 20, folder: String? = nil,
        clock: @escaping @Sendable () -> Int64 = ResponseCache.systemClock
    ) {
        // So that sums of sizes stay far from the end of Int.
        self.memoryCapacity = min(max(0, memoryCapacity), 1 << 50)
        self.diskCapacity = min(max(0, diskCapacity), 1 << 50)
        memory = Mutex(MemoryCache(capacity: self.memoryCapacity))
        let capacity = self.diskCapacity
        disk = capacity > 0 ? folder.map { DiskCache(path: $0, capacity: capacity, clock: clock) } : nil
    }

    /// The machine's clock, in nanoseconds since 1970.
    public static let systemClock: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Bytes of body above which an answer is surely not stored: one takes at most a twentieth of a capacity.
    public var entryLimit: Int { max(memoryCapacity, disk?.capacity ?? 0) / 20 }

    /// What is stored under the URL. Whether it may be used is up to ``CacheDecision``. Blocks where it is not in
    /// memory.
    public func cachedResponse(for url: TransferURL) -> CachedResponse? {
        let key = url.string
        let (found, changes) = memory.withLock { ($0.load(key), $0.changes) }
        if let found { return found }
        guard let response = disk?.load(key) else { return nil }
        // What was removed or replaced while the file was read must not come back.
        memory.withLock { if $0.changes == changes { $0.store(response, key) } }
        return response
    }

    /// Replaces what is stored under the URL, as ``CachedResponse/storagePolicy`` allows; an answer that may not be
    /// stored, or is too large, only removes what was there. Blocks.
    public func store(_ response: CachedResponse, for url: TransferURL) {
        let key = url.string
        guard response.storagePolicy != .notAllowed else { return remove(for: url) }
        memory.withLock { $0.store(response, key) }
        switch response.storagePolicy {
        case .allowed: disk?.store(response, key)
        case .allowedInMemoryOnly, .notAllowed: disk?.remove(key)
        }
    }

    /// Blocks.
    public func remove(for url: TransferURL) {
        memory.withLock { $0.remove(url.string) }
        disk?.remove(url.string)
    }

    /// Blocks. Files in the folder that are not the cache's stay.
    public func removeAll() {
        memory.withLock { $0.removeAll(since: nil) }
        disk?.removeAll(since: nil)
    }

    /// Removes what was stored, or last confirmed, at `time` or later. Blocks.
    /// - Parameter time: seconds since 1970.
    public func removeAll(since time: Int64) {
        memory.withLock { $0.removeAll(since: time) }
        disk?.removeAll(since: time)
    }

    /// Bytes; at most ``memoryCapacity``.
    public var currentMemoryUsage: Int { memory.withLock { $0.size } }

    /// Bytes; at most ``diskCapacity``. Blocks.
    public var currentDiskUsage: Int { disk?.usage ?? 0 }
}
