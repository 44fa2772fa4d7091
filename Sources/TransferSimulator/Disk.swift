// SPDX-License-Identifier: MIT

import CSimulation
import Glibc
import TransferModel
import TransferTesting

/// The disk below the folder of a run: real files in memory, whose calls may fail, and of which a power cut keeps only
/// what was synced.
///
/// Bytes of a file are safe up to its last sync, a name once its folder was synced. Of the rest a power cut keeps what
/// the seed says: of each folder all changes of names or none, of each file its bytes, zeros in their place, or less.
final class Disk: @unchecked Sendable {  // Used on one thread.
    private struct Inode: Hashable { var device: UInt64, number: UInt64 }

    let root: String
    let machine: Machine
    let swarm: Swarm
    let bug: PlantedBug?
    var isFaulty = true
    var isFull = false
    var isReadOnly = false
    /// The sync under way is that before a rename.
    var isPlacing = false
    /// Called right after a rename.
    /// - Parameters: the name before, `nil` if it had none; the name.
    var renamed: (String?, String) -> Void = { _, _ in }
    /// Called where a sync fails, before the program knows.
    var syncFails: () -> Void = {}
    /// Power cuts that are still to come: after the last it need not be known what is safe.
    var cutsToCome: Int
    private var isWatched: Bool { cutsToCome > 0 }
    private var device: UInt64 = 0
    private var safeBytes: [Inode: [UInt8]] = [:]
    private var safeNames: [String: [String: Inode]] = [:]
    /// By folder: what a sync could not write. A later one succeeds without it, unless it has changed again.
    private var lostNames: [String: Set<String>] = [:]
    /// The same for bytes, until they are written again.
    private var lostBytes: [Inode: [Range<Int>]] = [:]

    init(_ root: String, _ machine: Machine, _ swarm: Swarm, _ bug: PlantedBug?) {
        (self.root, self.machine, self.swarm, self.bug) = (root, machine, swarm, bug)
        cutsToCome = swarm.has(.powerCut) ? 1 : 0
        Simulation.watchWrites(false)
    }

    private var trace: Trace { machine.trace }

    private func meets(_ fault: Fault, odds: Int) -> Bool {
        guard isFaulty, swarm.has(fault), machine.random.once(in: odds) else { return false }
        trace.met(fault)
        return true
    }

    private static func path(of descriptor: Int32) -> String? {
        csimulation_path(descriptor).map { String(cString: $0) }
    }

    // MARK: Calls

    /// - Returns: 0, an errno, or -1: success without effect.
    func before(_ call: csimulation_call, _ descriptor: Int32, _ name: UnsafePointer<CChar>?) -> Int32 {
        hang(call, name)
        let isSync = call == csimulation_sync || call == csimulation_sync_all
        let mayFail =
            isFaulty
            && (isFull || isReadOnly || swarm.has(.failingWrites) || swarm.has(.failingSync)
                || swarm.has(.refusedFiles))
        guard mayFail || (isSync && bug != nil) else { return 0 }
        guard let name, strncmp(name, root, root.utf8.count) == 0 else { return 0 }
        let isState = strstr(name, "/state") != nil
        if isSync {
            if bug == .journalNotSynced, isState { return -1 }
            if bug == .recordBeforeData, !isPlacing, strstr(name, ".fileq-part") != nil { return -1 }
            // The store, too, does not trust a journal again that could not be synced.
            if !isState, meets(.failingSync, odds: 6) {
                trace.note(machine.now, "sync fails: \(String(cString: name).lastPathPart ?? "")")
                if isWatched { lose(descriptor, String(cString: name)) }
                syncFails()
                return EIO
            }
            return 0
        }
        if call == csimulation_write {
            if isFull { return ENOSPC }
            if !isState, meets(.failingWrites, odds: 40) { return EIO }
        } else if call == csimulation_open || call == csimulation_rename || call == csimulation_link {
            if isReadOnly { return EROFS }
            if isFull, call == csimulation_open, access(name, F_OK) != 0 { return ENOSPC }
            if !isState, meets(.refusedFiles, odds: 20) { return EACCES }
        }
        return 0
    }

    /// Calls on a remote folder are made by lanes of its mount, and any of them may take long. The transport's writes
    /// do not pass through the lane here. No write to a partial file does: it is locked while its bytes are written
    /// again, and a job that waited for that lock would stop the one thread that plays all.
    private func hang(_ call: csimulation_call, _ name: UnsafePointer<CChar>?) {
        guard isFaulty, swarm.has(.hangingFolder), machine.current?.hasPrefix("fileq.files") == true,
            machine.random.once(in: 15), call != csimulation_write || name.flatMap({ strstr($0, ".fileq-part") }) == nil
        else { return }
        trace.met(.hangingFolder)
        let seconds = Double.random(in: 0...12, using: &machine.random)
        trace.note(machine.now, "folder hangs for \((seconds * 10).rounded() / 10) s")
        Simulation.watchFiles(true)
        machine.hang(seconds)
        Simulation.watchFiles(false)
        trace.note(machine.now, "folder responds")
    }

    func after(_ call: csimulation_call, _ descriptor: Int32, _ from: String?, _ to: String?) {
        switch call {
        case csimulation_sync: synced(descriptor)
        case csimulation_sync_all: syncAll()
        case csimulation_rename:
            guard let from, let to, to.hasPrefix(root) else { return }
            for path in [from, to] { changed(path) }
            renamed(from, to)
        case csimulation_link:
            guard let to, to.hasPrefix(root) else { return }
            changed(to)
            renamed(nil, to)
        case csimulation_unlink: if let from { changed(from) }
        default: break
        }
    }

    private static func inode(_ status: stat) -> Inode {
        Inode(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    private func synced(_ descriptor: Int32) {
        var status = stat()
        guard isWatched, fstat(descriptor, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            guard let path = Self.path(of: descriptor) else { return }
            var found = names(path)
            for name in lostNames[path] ?? [] { found[name] = safeNames[path]?[name] }
            safeNames[path] = found
        } else {
            let inode = Self.inode(status)
            var bytes = Self.bytes(descriptor, Int(status.st_size))
            for lost in lostBytes[inode] ?? [] {
                for index in lost.clamped(to: bytes.indices) { bytes[index] = 0 }
            }
            safeBytes[inode] = bytes
        }
    }

    /// A sync fails: what is not safe counts as written from now on.
    private func lose(_ descriptor: Int32, _ path: String) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            let (now, safe) = (names(path), safeNames[path] ?? [:])
            lostNames[path, default: []].formUnion(Set(now.keys).union(safe.keys).filter { now[$0] != safe[$0] })
        } else {
            let inode = Self.inode(status)
            let safe = safeBytes[inode]?.count ?? 0
            if safe < Int(status.st_size) {
                lostBytes[inode, default: []].append(safe..<Int(status.st_size))
                Simulation.watchWrites(true)
            }
        }
    }

    /// Bytes that are written again, or cut off, are for the next sync.
    func wrote(_ descriptor: Int32, _ first: Int, _ count: Int) {
        var status = stat()
        guard !lostBytes.isEmpty, fstat(descriptor, &status) == 0 else { return }
        let inode = Self.inode(status)
        let end = first + count
        lostBytes[inode] = lostBytes[inode]?.flatMap { lost in
            [lost.clamped(to: 0..<first), lost.clamped(to: end..<Int.max)].filter { !$0.isEmpty }
        }
    }

    /// A name was given or removed: the next sync writes that.
    private func changed(_ path: String) {
        guard isWatched, let slash = path.lastSlash else { return }
        lostNames[String(path[..<slash])]?.remove(String(path.afterLastSlash))
    }

    /// Everything is safe.
    func syncAll() {
        guard isWatched else { return }
        (lostNames, lostBytes) = ([:], [:])
        var status = stat()
        if stat(root, &status) == 0 { device = UInt64(status.st_dev) }
        for folder in folders() {
            safeNames[folder] = names(folder)
            for name in Files.names(folder) { keep("\(folder)/\(name)") }
        }
        for path in nameless() { keep(path) }
    }

    /// Files that are open and have no name.
    private func nameless() -> [String] {
        (0..<1024).lazy.filter { Self.path(of: $0)?.hasSuffix("/.") == true }.map { "/proc/self/fd/\($0)" }
    }

    private func keep(_ path: String) {
        let descriptor = Glibc.open(path, O_RDONLY)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        safeBytes[Self.inode(status)] = Self.bytes(descriptor, Int(status.st_size))
    }

    /// Copies the files of a folder, as the next process finds them, and removes it. What was not safe is no safer.
    func replace(_ folder: String, by next: String) {
        let before = names(folder)
        Files.replace(folder, by: next)
        guard isWatched else { return }
        let after = names(next)
        var copies: [Inode: Inode] = [:]
        for (name, inode) in before { copies[inode] = after[name] }
        for (old, new) in copies {
            safeBytes[new] = safeBytes.removeValue(forKey: old)
            lostBytes[new] = lostBytes.removeValue(forKey: old)
        }
        safeNames[next] = safeNames.removeValue(forKey: folder)?.mapValues { copies[$0] ?? $0 }
        lostNames[next] = lostNames.removeValue(forKey: folder)
    }

    /// A file that was there before the course began.
    func hasAlways(_ path: String) {
        guard isWatched else { return }
        var status = stat()
        guard let slash = path.lastSlash, lstat(path, &status) == 0 else { return }
        keep(path)
        safeNames[String(path[..<slash]), default: [:]][String(path.afterLastSlash)] = Self.inode(status)
    }

    /// - Parameter descriptor: may be open for writing alone.
    private static func bytes(_ descriptor: Int32, _ count: Int) -> [UInt8] {
        let readable = Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY)
        defer { close(readable) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(readable, buffer.baseAddress, count, 0))
        }
    }

    private func folders() -> [String] {
        [root] + Files.entries(root).filter(\.isFolder).map { "\(root)/\($0.name)" }
    }

    private func names(_ folder: String) -> [String: Inode] {
        var found: [String: Inode] = [:]
        for entry in Files.entries(folder) { found[entry.name] = Inode(device: device, number: entry.inode) }
        return found
    }

    // MARK: The power cut

    /// Leaves what a power cut leaves. No descriptor of the folder may be used afterwards.
    func cut() {
        cutsToCome -= 1
        for folder in folders() where folder != root {
            let current = names(folder)
            // The file system's own journal may have been written since, or not; or all but the bytes of larger files,
            // which follow late.
            let keepsSmall = machine.random.once(in: 3)
            let keepsNames = keepsSmall || machine.random.once(in: 2)
            let chosen = keepsNames ? current : (safeNames[folder] ?? [:])
            let contents = chosen.filter { !$0.key.hasSuffix("-shm") }.sorted { $0.key < $1.key }.map { name, inode in
                // A name may come back whose file has lost all others: then only its synced bytes are left.
                (
                    name: name, inode: inode,
                    bytes: remainder(
                        inode,
                        current.first { $0.value == inode }.flatMap {
                            Files.read("\(folder)/\($0.key)")
                        }, keepsSmall: keepsSmall)
                )
            }
            lay(contents, over: current, in: folder)
            // Records have real inode numbers and times, whose digits may decide whether SQLite's log has a page more.
            let kept = contents.map { $0.name.hasPrefix("queue.sqlite") ? $0.name : "\($0.name):\($0.bytes.count)" }
            trace.note(machine.now, "power cut: \(folder.lastPathPart ?? "") keeps \(kept.joined(separator: ", "))")
        }
        (safeBytes, safeNames, lostNames, lostBytes) = ([:], [:], [:], [:])
        // What is on the disk now is there.
        syncAll()
    }

    /// Files keep their inodes. One that stays as it is keeps the time of its last change, too, which cannot be set.
    private func lay(
        _ contents: [(name: String, inode: Inode, bytes: [UInt8])], over current: [String: Inode], in folder: String
    ) {
        let intact = Set(
            contents.lazy.filter { name, inode, bytes in
                current[name] == inode && Files.read("\(folder)/\(name)") == bytes
            }.map { $0.name })
        var aside: [Inode: String] = [:]
        let moved = current.filter { !intact.contains($0.key) }.sorted { $0.key < $1.key }
        for (number, (name, inode)) in moved.enumerated() {
            let path = "\(folder)/.cut-\(number)"
            Glibc.rename("\(folder)/\(name)", path)
            aside[inode] = path
        }
        for (name, inode, bytes) in contents where !intact.contains(name) {
            let path = "\(folder)/\(name)"
            var status = stat()
            if let held = aside.removeValue(forKey: inode) { Glibc.rename(held, path) }
            let existed = lstat(path, &status) == 0
            Files.write(bytes, to: path)
            if existed { Files.setTime(status.st_mtim, of: path) }
        }
        for path in aside.values { Glibc.unlink(path) }
    }

    private func remainder(_ inode: Inode, _ now: [UInt8]?, keepsSmall: Bool) -> [UInt8] {
        let safe = safeBytes[inode] ?? []
        guard let now else { return safe }
        switch keepsSmall ? (now.count < 1000 ? 0 : 2) : Int.random(in: 0...3, using: &machine.random) {
        case 0: return now
        case 1: return safe
        case 2:
            // The new length, and zeros for blocks that were not written.
            return Array(safe.prefix(now.count)) + [UInt8](repeating: 0, count: max(0, now.count - safe.count))
        default:
            let common = min(safe.count, now.count)
            let extra = Int.random(in: 0...max(0, now.count - common), using: &machine.random)
            return Array(safe.prefix(common)) + now[common..<(common + extra)]
        }
    }
}
