// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
public import TransferModel

/// Stored responses by URL, in memory and on disk, like `URLCache`. One response per URL: another variant (`Vary`)
/// replaces it.
///
/// Thread-safe. Every call except ``currentMemoryUsage`` may block on the file system if there is a folder: call it on
/// a queue that may block, neither on an engine's thread nor on Swift's pool. No call fails: an unreadable, damaged or
/// foreign file counts as not stored.
///
/// Several processes, and several caches of one process, may share a folder. Each may still return responses from its
/// own memory that another one has replaced or removed.
public final class ResponseCache: Sendable {
    public let memoryCapacity: Int
    public let diskCapacity: Int
    private let memory: Mutex<MemoryCache>
    private let disk: DiskCache?

    /// Does not access the folder; the first call that needs it creates, counts and trims it to `diskCapacity`.
    ///
    /// - Parameters:
    ///   - memoryCapacity: bytes, including heads.
    ///   - diskCapacity: bytes of all files together.
    ///   - folder: a private path, created with mode 0700. `nil`: nothing is written. If it is a link,
    ///     belongs to another user or may be written by others, nothing is written either.
    ///   - clock: nanoseconds since 1970, to order files across restarts.
    public init(
        memoryCapacity: Int = 4 << 20, diskCapacity: Int = 20 << 20, folder: String? = nil,
        clock: @escaping @Sendable () -> Int64 = ResponseCache.systemClock
    ) {
        // Prevents overflow in sums of sizes.
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

    /// The maximum body size of a stored response: a twentieth of a capacity.
    public var entryLimit: Int { max(memoryCapacity, disk?.capacity ?? 0) / 20 }

    /// The response stored for the URL. ``CacheDecision`` decides whether it may be used. Blocks unless it is in
    /// memory.
    public func cachedResponse(for url: TransferURL) -> CachedResponse? {
        let key = url.string
        let (found, changes) = memory.withLock { ($0.load(key), $0.changes) }
        if let found { return found }
        guard let response = disk?.load(key) else { return nil }
        // A response removed or replaced during the read must not return.
        memory.withLock { if $0.changes == changes { $0.store(response, key) } }
        return response
    }

    /// Replaces the response stored for the URL, as ``CachedResponse/storagePolicy`` allows; a response that may not be
    /// stored, or is too large, only removes the previous one. Blocks.
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

    /// Blocks. Other files in the folder stay.
    public func removeAll() {
        memory.withLock { $0.removeAll(since: nil) }
        disk?.removeAll(since: nil)
    }

    /// Removes responses stored, or last confirmed, at `time` or later. Blocks.
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
