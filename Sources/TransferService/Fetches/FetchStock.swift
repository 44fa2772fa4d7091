// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// The small transfers that the transport carries out without runs and tasks. Passive: the coordinator makes all
/// decisions.
struct FetchStock {
    /// One that waits at the transport, or runs there. Used by the engine alone.
    final class Entry {
        let id: TransferID
        let spec: Spec
        let origin: FetchOrigin
        let file: File
        fileprivate(set) var isRunning = false

        init(_ id: TransferID, _ spec: Spec, _ origin: FetchOrigin, _ file: File) {
            (self.id, self.spec, self.origin, self.file) = (id, spec, origin, file)
        }

        /// `nil` for a download.
        var upload: PlainUpload? {
            if case .upload(let upload) = file { upload } else { nil }
        }
    }

    enum File {
        case download(Destination)
        case upload(PlainUpload)
    }

    /// Where a download goes.
    struct Destination {
        let folder: FetchFolder
        let name: String
        let path: String
        /// Whether its name is claimed for it.
        let isClaimed: Bool
        /// Whether its file must be on a disk before it is complete.
        let syncs: Bool
    }

    /// How many wait at the transport at most; below half of that, more are given to it.
    static let capacity = 64
    /// With fewer in line nothing is gained.
    static let minimum = 4

    private(set) var entries: [Int: Entry] = [:]
    private var keys: [TransferID: Int] = [:]
    private var lastKey = 0
    /// Waiting at the transport.
    private(set) var waiting = 0
    /// The number of fetches that the transport has started.
    private(set) var running = 0
    /// As the transport knows it.
    var slots = 0
    /// How many the transport has ever handed over, as far as reported.
    var handedOver = 0
    /// Their requests or responses need a task.
    var unfit: Set<TransferID> = []
    var folders = FetchFolders()
    private var lastOptions: (options: Shared<TransferOptions>, demands: Demands)?
    /// The folder of the last source and whether it is local, cached for half a second.
    private var lastSources: (folder: String, isLocal: Bool, at: Double)?
    private var origins: [String: FetchOrigin] = [:]
    private var lastOrigin: FetchOrigin?

    var isEmpty: Bool { entries.isEmpty }
    var wantsMore: Bool { waiting <= Self.capacity / 2 }
    func contains(_ id: TransferID) -> Bool { keys[id] != nil }

    /// - Returns: its key.
    mutating func add(_ entry: Entry) -> Int {
        lastKey += 1
        entries[lastKey] = entry
        keys[entry.id] = lastKey
        waiting += 1
        return lastKey
    }

    /// - Returns: the entry that runs from now on; `nil` for one that was withdrawn.
    mutating func start(_ key: Int) -> Entry? {
        guard let entry = entries[key], !entry.isRunning else { return nil }
        entry.isRunning = true
        waiting -= 1
        running += 1
        return entry
    }

    mutating func remove(_ key: Int) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        keys[entry.id] = nil
        if entry.isRunning { running -= 1 } else { waiting -= 1 }
        return entry
    }

    mutating func remove(_ id: TransferID) -> (key: Int, entry: Entry)? {
        guard let key = keys[id], let entry = remove(key) else { return nil }
        return (key, entry)
    }

    /// The demands of a transfer's options on a fetch.
    struct Demands {
        var method: HTTPMethod?
        /// The permissions of new files.
        var permissions: FilePermissions
        /// Whether the request has conditions, such as not to replace a file.
        var isConditional: Bool

        init(_ options: TransferOptions) {
            (method, permissions) = (options.method, FilePermissions(options))
            isConditional = !options.conditions.isEmpty
        }
    }

    /// Options of many transfers are one object.
    mutating func demands(of options: Shared<TransferOptions>) -> Demands {
        if let lastOptions, lastOptions.options.isIdentical(to: options) { return lastOptions.demands }
        let demands = Demands(options.wrappedValue)
        lastOptions = (options, demands)
        return demands
    }

    /// Whether calls on the files of a folder end in a bounded time.
    mutating func isLocal(sources folder: String, now: Double, _ check: () -> Bool) -> Bool {
        if let lastSources, lastSources.folder == folder, now - lastSources.at < 0.5 { return lastSources.isLocal }
        let isLocal = check()
        lastSources = (folder, isLocal, now)
        return isLocal
    }

    // MARK: Origins

    private static let maximumOrigins = 4096

    /// The origin of `url`, with what earlier responses have shown about it.
    mutating func origin(of url: TransferURL) -> FetchOrigin {
        if let lastOrigin, lastOrigin.isOrigin(of: url) { return lastOrigin }
        // Knowledge of an origin only saves time.
        if origins.count >= Self.maximumOrigins { origins = [:] }
        let origin = origins[url.origin] ?? FetchOrigin(url)
        origins[url.origin] = origin
        lastOrigin = origin
        return origin
    }
}

/// A server, as far as fetches met it. Used by the engine alone.
final class FetchOrigin {
    let url: TransferURL
    /// Rises with plain responses, falls with others.
    private var score = 0
    private var avoidedSince = -Double.infinity
    private static let lowest = -8
    /// Seconds for which an origin is avoided whose responses are seldom plain.
    private static let avoidance = 10.0
    /// As the session knows it.
    var address: String?
    /// With its port.
    var endpoint: String?

    init(_ url: TransferURL) { self.url = url }

    func isOrigin(of other: TransferURL) -> Bool {
        url.port == other.port && url.host == other.host && url.isSecure == other.isSecure
    }

    /// Whether its responses are usually plain.
    func isPromising(at now: Double) -> Bool { score > Self.lowest || now - avoidedSince > Self.avoidance }

    func note(wasPlain: Bool, at now: Double) {
        score = wasPlain ? min(score + 1, -Self.lowest) : max(score - 2, Self.lowest)
        if score == Self.lowest { avoidedSince = now }
    }
}
