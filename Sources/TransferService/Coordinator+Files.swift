// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import SessionCore
import TransferModel

/// Calls on files; the engine waits for no file system that may hang.
///
/// Calls on local file systems are made synchronously: they cost 5.7 µs for a small file, 6.4 to 8.3 µs by another
/// thread, and end in a bounded time. All others go through the lane of their mount (``FileLanes``).
extension Coordinator {
    /// Makes quick calls on the files of a run, then continues here, synchronously if the file system is local.
    ///
    /// The reply is dropped if the run has ended meanwhile, or, unless `survivesStop`, if the attempt was paused or
    /// cancelled.
    /// - Parameters:
    ///   - path: the file that the calls concern.
    ///   - proceed: receives code `folderNotResponding` if the folder does not respond.
    func onFiles<Value: Sendable>(
        of run: Run, _ path: String, survivesStop: Bool = false,
        _ body: @escaping @Sendable () throws(TransferError) -> Value,
        then proceed: @escaping @EngineActor @Sendable (Result<Value, TransferError>) throws -> Void
    ) {
        let mount = run.mount ?? mounts.mount(of: path)
        if mount.isLocal {
            let result = Result { () throws(TransferError) in try body() }
            return attempt(run) { try proceed(result) }
        }
        let generation = run.generation
        let token = beginFileWork()
        lanes.perform(path, on: mount, .limited, body) { [self, inbox] result in
            inbox.post { [self] in
                endFileWork(token)
                guard !hasEnded, runs[run.id] === run, survivesStop || run.generation == generation else { return }
                attempt(run) { try proceed(result) }
            }
        }
    }

    /// Makes quick calls on files whose effect nothing waits for: synchronously if the file system is local, else in
    /// order on its lane, once that responds.
    func onFiles(at path: String, _ mount: MountTable.Mount? = nil, _ body: @escaping @Sendable () -> Void) {
        let mount = mount ?? mounts.mount(of: path)
        if mount.isLocal { return body() }
        let token = beginFileWork()
        let done: @Sendable () -> Void = { [self, inbox] in inbox.post { [self] in endFileWork(token) } }
        lanes.perform(path, on: mount, .unlimited(stalled: done), body) { _ in done() }
    }

    /// Makes quick calls on files for a command that waits for them.
    /// - Parameter reply: called on any thread; receives code `folderNotResponding` if the folder does not respond.
    func onFiles<Value: Sendable>(
        at path: String, _ body: @escaping @Sendable () throws(TransferError) -> Value,
        reply: @escaping @Sendable (Result<Value, TransferError>) -> Void
    ) {
        let mount = mounts.mount(of: path)
        if mount.isLocal { return reply(Result { () throws(TransferError) in try body() }) }
        let token = beginFileWork()
        lanes.perform(path, on: mount, .limited, body) { [self, inbox] result in
            inbox.post { [self] in endFileWork(token) }
            reply(result)
        }
    }

    /// Makes the calls on a file whose body is sent or received; `nil`: the transport makes them itself.
    func lane(of path: String, on mount: MountTable.Mount?) -> MountLane? {
        guard let mount, !mount.isLocal else { return nil }
        return MountLane(lanes: lanes, mount: mount, path: path)
    }

    /// Reads a whole file elsewhere, and continues here, unless the run was stopped or restarted meanwhile.
    func readFile<Value: Sendable>(
        of run: Run, _ read: @escaping @Sendable () -> Value,
        then proceed: @escaping @EngineActor @Sendable (Value) throws -> Void
    ) {
        guard run.mount?.isLocal == false else { return runInBackground(for: run, read, then: proceed) }
        let generation = run.generation
        lanes.performLong { [self, inbox] in
            let value = read()
            inbox.post { [self] in
                guard !hasEnded, runs[run.id] === run, run.generation == generation else { return }
                attempt(run) { try proceed(value) }
            }
        }
    }

    /// Syncs a file elsewhere, and continues here, also if the run was stopped meanwhile; the queue's end waits for it.
    /// Syncs of one file follow one another: of several under way, Linux reports a failure to one.
    /// - Parameters:
    ///   - isAwaited: false if the queue's end does not wait for it.
    ///   - proceed: receives 0 or an errno.
    func syncFile(
        of run: Run, _ file: PartialFile, isAwaited: Bool = true,
        then proceed: @escaping @EngineActor @Sendable (_ code: Int32) throws -> Void
    ) {
        let key = ObjectIdentifier(file)
        guard fileSyncs[key] == nil else {
            fileSyncs[key]?.append { [self] in syncFile(of: run, file, isAwaited: isAwaited, then: proceed) }
            return
        }
        fileSyncs[key] = []
        readStored(of: run, isAwaited: isAwaited) {
            file.sync()
        } then: {
            try proceed($0)
        } finally: { [self] in
            for next in fileSyncs.removeValue(forKey: key) ?? [] { next() }
        }
    }

    /// Continues after ``syncFile(of:_:isAwaited:then:)``, which is under way for the file; others may follow it.
    func afterSync(of file: PartialFile, _ proceed: @escaping @EngineActor @Sendable () -> Void) {
        fileSyncs[ObjectIdentifier(file)]?.append(proceed)
    }

    /// Reads a part of a file elsewhere, and continues here, also if the run was stopped meanwhile; the queue's end
    /// waits for it.
    func readStored<Value: Sendable>(
        of run: Run, isAwaited: Bool = true, _ read: @escaping @Sendable () -> Value,
        then proceed: @escaping @EngineActor @Sendable (Value) throws -> Void,
        finally: @escaping @EngineActor @Sendable () -> Void = {}
    ) {
        let token = isAwaited ? beginFileWork() : nil
        let work: @Sendable () -> Void = { [self, inbox] in
            let value = read()
            inbox.post { [self] in
                if !hasEnded, runs[run.id] === run { attempt(run) { try proceed(value) } }
                finally()
                if let token { endFileWork(token) }
            }
        }
        if run.mount?.isLocal == false { lanes.performLong(work) } else { background.async(execute: work) }
    }

    /// Makes calls on records of uploads elsewhere, in order, and continues here, whatever has become of their runs
    /// meanwhile; the queue's end waits for it.
    func onRecords<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value,
        then proceed: @escaping @EngineActor @Sendable (Value) -> Void = { _ in }
    ) {
        let token = beginFileWork()
        recording.async { [self, inbox] in
            let value = body()
            inbox.post { [self] in
                if !hasEnded { proceed(value) }
                endFileWork(token)
            }
        }
    }

    /// Closes a descriptor without waiting: closing flushes, which may hang as well.
    func closing(_ path: String, on mount: MountTable.Mount) -> @Sendable (Int32) -> Void {
        if mount.isLocal { return { close($0) } }
        let lanes = lanes
        return { descriptor in
            lanes.perform(path, on: mount, .unlimited(stalled: {}), { _ = close(descriptor) }, reply: { _ in })
        }
    }

    // MARK: Ending

    /// The queue's end waits for pending work, as long as folders respond.
    private func beginFileWork() -> Int {
        lastFileWork += 1
        fileWork.insert(lastFileWork)
        return lastFileWork
    }

    /// Also called when a folder does not respond; then a second time when it does.
    private func endFileWork(_ token: Int) {
        fileWork.remove(token)
        if isShuttingDown, fileWork.isEmpty { EngineActor.async { [self] in finishShuttingDown() } }
    }
}
