// SPDX-License-Identifier: MIT

import Dispatch
import Platform
import SessionCore
import Synchronization
import TransferModel

/// Makes the queue's calls on files of file systems that may hang: one serial lane for each mount. From any thread; no
/// method but ``wait(_:on:_:)`` waits.
///
/// A call that has not returned after ``patience`` seconds quarantines its folder: it fails, and so does every further
/// request for that folder until it returns. Other folders of the mount get a new thread. With ``maximumStuck`` threads
/// stuck, all requests for the mounts concerned fail. A result that comes after its request has failed is discarded on
/// the lane's thread, where closing its handles blocks no other call.
final class FileLanes: Sendable {
    /// Seconds without a reply.
    static let patience = 2.0
    static let maximumStuck = 16

    /// What a request does when its folder does not reply.
    enum Patience: Sendable {
        /// It fails with code `folderNotResponding`.
        case limited
        /// It keeps waiting, since its effect cannot be taken back. `stalled` is called once, after
        /// ``FileLanes/patience``.
        case unlimited(stalled: @Sendable () -> Void)
    }

    private final class Request: Sendable {
        let folder: String
        /// Whether it is made after a quarantine, once its folder responds again.
        let waits: Bool
        /// Makes the call, and replies unless the request has failed.
        let carryOut: @Sendable (Request) -> Void
        let expire: @Sendable (Request) -> Void
        private let isOver = Mutex(false)

        init(
            folder: String, waits: Bool, carryOut: @escaping @Sendable (Request) -> Void,
            expire: @escaping @Sendable (Request) -> Void
        ) {
            (self.folder, self.waits, self.carryOut, self.expire) = (folder, waits, carryOut, expire)
        }

        /// - Returns: true for the first caller: the one whose reply counts.
        func claim() -> Bool {
            isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
        }
    }

    private struct Lane {
        var waiting: [Request] = []
        /// Of quarantined folders.
        var held: [Request] = []
        /// The call under way, and since when.
        var current: (request: Request, since: Double)?
        var isWatched = false
        /// The folders whose calls have not returned, and how many of each.
        var quarantined: [String: Int] = [:]
        /// Replaced when a call gets stuck on it.
        var queue = DispatchQueue(label: "fileq.files")
    }

    private struct Guarded {
        var lanes: [String: Lane] = [:]
        var stuck = 0
    }

    private let scheduler: any Scheduler
    private let guarded = Mutex(Guarded())

    init(scheduler: any Scheduler) { self.scheduler = scheduler }

    /// Calls `body` on the lane of `mount`, after all earlier requests for its folder.
    /// - Parameters:
    ///   - path: what the call is about; its folder is what may be quarantined.
    ///   - reply: called once on any thread, unless the request never ends.
    func perform<Value: Sendable>(
        _ path: String, on mount: MountTable.Mount, _ patience: Patience,
        _ body: @escaping @Sendable () throws(TransferError) -> Value,
        reply: @escaping @Sendable (Result<Value, TransferError>) -> Void
    ) {
        let folder = ParentFolder.path(of: path)
        let waits = if case .unlimited = patience { true } else { false }
        let request = Request(folder: folder, waits: waits) { request in
            let result = Result { () throws(TransferError) in try body() }
            if request.claim() { reply(result) }
        } expire: { request in
            switch patience {
            case .unlimited(let stalled): stalled()
            case .limited: if request.claim() { reply(.failure(Self.error(folder))) }
            }
        }
        enqueue(request, mount.path)
    }

    /// Calls `body` here if the file system is local, else on its lane. Blocks for ``patience`` at most; for a
    /// process that does nothing else yet.
    /// - Returns: `nil` if the folder does not respond.
    func wait<Value: Sendable>(
        _ path: String, on mount: MountTable.Mount, _ body: @escaping @Sendable () -> Value
    ) -> Value? {
        if mount.isLocal { return body() }
        let (found, done) = (Box<Value?>(nil), DispatchSemaphore(value: 0))
        perform(path, on: mount, .limited, body) { result in
            found.value.withLock { $0 = try? result.get() }
            done.signal()
        }
        done.wait()
        return found.value.withLock { $0 }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    /// Calls `body` on a thread of its own: reading or syncing whole files has no time limit.
    func performLong(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "fileq.files.long").async(execute: body)
    }

    private static func error(_ folder: String) -> TransferError {
        TransferError(.folderNotResponding, file: .unresponsive, path: folder)
    }

    // MARK: Requests

    private func enqueue(_ request: Request, _ mount: String) {
        let begins: DispatchQueue? = guarded.withLock { guarded in
            var lane = guarded.lanes[mount] ?? Lane()
            defer { guarded.lanes[mount] = lane }
            if lane.quarantined[request.folder] != nil
                || !lane.quarantined.isEmpty && guarded.stuck >= Self.maximumStuck
            {
                // Not from within this call.
                if request.waits { lane.held.append(request) }
                DispatchQueue.global().async { request.expire(request) }
                return nil
            }
            lane.waiting.append(request)
            return lane.current == nil && lane.waiting.count == 1 ? lane.queue : nil
        }
        begins?.async { [self] in carryOut(mount) }
    }

    /// Makes the waiting calls until none is left, or one got stuck here.
    private func carryOut(_ mount: String) {
        while true {
            let now = scheduler.now
            let (request, watches): (Request?, Bool) = guarded.withLock { guarded in
                guard var lane = guarded.lanes[mount], lane.current == nil, !lane.waiting.isEmpty else {
                    return (nil, false)
                }
                let request = lane.waiting.removeFirst()
                lane.current = (request, now)
                let watches = !lane.isWatched
                lane.isWatched = true
                guarded.lanes[mount] = lane
                return (request, watches)
            }
            guard let request else { return }
            if watches { watch(mount, at: now + Self.patience) }
            request.carryOut(request)
            let isHere = guarded.withLock { guarded in
                guard guarded.lanes[mount]?.current?.request === request else { return false }
                guarded.lanes[mount]?.current = nil
                return true
            }
            guard isHere else { return returned(request, mount) }
        }
    }

    /// A call that had expired has returned: its folder responds again. The lane has another thread by now.
    private func returned(_ request: Request, _ mount: String) {
        let begins: DispatchQueue? = guarded.withLock { guarded in
            guarded.stuck -= 1
            guard var lane = guarded.lanes[mount] else { return nil }
            defer { guarded.lanes[mount] = lane }
            let count = lane.quarantined[request.folder] ?? 1
            lane.quarantined[request.folder] = count == 1 ? nil : count - 1
            let isIdle = lane.current == nil && lane.waiting.isEmpty
            lane.waiting += lane.held.filter { lane.quarantined[$0.folder] == nil }
            lane.held.removeAll { lane.quarantined[$0.folder] == nil }
            return isIdle && !lane.waiting.isEmpty ? lane.queue : nil
        }
        begins?.async { [self] in carryOut(mount) }
    }

    // MARK: Patience

    private func watch(_ mount: String, at time: Double) {
        scheduler.schedule(at: time) { [weak self] in self?.check(mount) }
    }

    private func check(_ mount: String) {
        let now = scheduler.now
        var expired: [Request] = []
        let (next, begins): (Double?, DispatchQueue?) = guarded.withLock { guarded in
            guard var lane = guarded.lanes[mount] else { return (nil, nil) }
            defer { guarded.lanes[mount] = lane }
            guard let current = lane.current else {
                lane.isWatched = !lane.waiting.isEmpty
                return (lane.isWatched ? now + Self.patience : nil, nil)
            }
            guard now >= current.since + Self.patience else { return (current.since + Self.patience, nil) }
            let folder = current.request.folder
            lane.quarantined[folder, default: 0] += 1
            guarded.stuck += 1
            let isLast = guarded.stuck >= Self.maximumStuck
            expired = [current.request] + lane.waiting.filter { isLast || $0.folder == folder }
            lane.held += expired.dropFirst().filter(\.waits)
            lane.waiting.removeAll { isLast || $0.folder == folder }
            lane.current = nil
            lane.queue = DispatchQueue(label: "fileq.files")
            lane.isWatched = !lane.waiting.isEmpty
            return (nil, lane.waiting.isEmpty ? nil : lane.queue)
        }
        if let next { watch(mount, at: next) }
        if let begins {
            watch(mount, at: now + Self.patience)
            begins.async { [self] in carryOut(mount) }
        }
        for request in expired { request.expire(request) }
    }
}

/// The calls on one file by the lane of its mount.
struct MountLane: FileLane {
    let lanes: FileLanes
    let mount: MountTable.Mount
    let path: String

    func perform<Value: Sendable>(
        _ call: @escaping @Sendable () throws(TransferError) -> Value,
        reply: @escaping @Sendable (Result<Value, TransferError>) -> Void
    ) {
        lanes.perform(path, on: mount, .limited, call, reply: reply)
    }
}
