// SPDX-License-Identifier: MIT

import CSimulation
import Glibc
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
    var renamed: (String, String) -> Void = { _, _ in }
    private var safeBytes: [Inode: [UInt8]] = [:]
    private var safeNames: [String: [String: Inode]] = [:]

    init(_ root: String, _ machine: Machine, _ swarm: Swarm, _ bug: PlantedBug?) {
        (self.root, self.machine, self.swarm, self.bug) = (root, machine, swarm, bug)
    }

    private var trace: Trace { machine.trace }

    private func meets(_ fault: Fault, odds: Int) -> Bool {
        guard isFaulty, swarm.has(fault), machine.random.once(in: odds) else { return false }
        trace.met(fault)
        return true
    }

    static func path(of descriptor: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    // MARK: Calls

    /// - Returns: 0, an errno, or -1: success without effect.
    func before(_ call: csimulation_call, _ descriptor: Int32, _ path: String?) -> Int32 {
        hang()
        let isSync = call == csimulation_sync || call == csimulation_sync_all
        let mayFail =
            isFaulty
            && (isFull || isReadOnly || swarm.has(.failingWrites) || swarm.has(.failingSync)
                || swarm.has(.refusedFiles))
        guard mayFail || (isSync && bug != nil) else { return 0 }
        guard let path = path ?? Self.path(of: descriptor), path.hasPrefix(root) else { return 0 }
        if isSync {
            if bug == .journalNotSynced, path.contains("/state") { return -1 }
            if bug == .recordBeforeData, !isPlacing, path.contains(".fileq-part") { return -1 }
            // SQLite, too, does not trust a journal again that could not be synced: it is opened again.
            if !path.contains("/state"), meets(.failingSync, odds: 6) { return EIO }
            return 0
        }
        if call == csimulation_write {
            if isFull { return ENOSPC }
            if !path.contains("/state"), meets(.failingWrites, odds: 40) { return EIO }
        } else if call == csimulation_open || call == csimulation_rename {
            if isReadOnly { return EROFS }
            if isFull, call == csimulation_open, access(path, F_OK) != 0 { return ENOSPC }
            if !path.contains("/state"), meets(.refusedFiles, odds: 20) { return EACCES }
        }
        return 0
    }

    /// Calls on a remote folder are made by lanes of its mount, and any of them may take long. The transport's writes
    /// do not pass through the lane here.
    private func hang() {
        guard isFaulty, swarm.has(.hangingFolder), machine.current?.hasPrefix("fileq.files") == true,
            machine.random.once(in: 15)
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
        case csimulation_rename: if let from, let to, to.hasPrefix(root) { renamed(from, to) }
        default: break
        }
    }

    private static func inode(_ status: stat) -> Inode {
        Inode(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    private func synced(_ descriptor: Int32) {
        var status = stat()
        guard swarm.has(.powerCut), fstat(descriptor, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            if let path = Self.path(of: descriptor) { safeNames[path] = names(path) }
        } else {
            safeBytes[Self.inode(status)] = Self.bytes(descriptor, Int(status.st_size))
        }
    }

    /// Everything is safe.
    func syncAll() {
        guard swarm.has(.powerCut) else { return }
        for folder in folders() {
            safeNames[folder] = names(folder)
            for name in Files.names(folder) { keep("\(folder)/\(name)") }
        }
    }

    private func keep(_ path: String) {
        let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        safeBytes[Self.inode(status)] = Self.bytes(descriptor, Int(status.st_size))
    }

    private static func bytes(_ descriptor: Int32, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
        }
    }

    private func folders() -> [String] {
        [root] + Files.names(root).map { "\(root)/\($0)" }.filter { Files.isFolder($0) }
    }

    private func names(_ folder: String) -> [String: Inode] {
        var found: [String: Inode] = [:]
        for name in Files.names(folder) {
            var status = stat()
            if lstat("\(folder)/\(name)", &status) == 0 { found[name] = Self.inode(status) }
        }
        return found
    }

    // MARK: The power cut

    /// Leaves what a power cut leaves. No descriptor of the folder may be used afterwards.
    func cut() {
        for folder in folders() where folder != root {
            let current = names(folder)
            // The file system's own journal may have been written since, or not.
            let keepsNames = Int.random(in: 0...1, using: &machine.random) == 0
            let chosen = keepsNames ? current : (safeNames[folder] ?? [:])
            let contents = chosen.filter { !$0.key.hasSuffix("-shm") }.sorted { $0.key < $1.key }.map { name, inode in
                // A name may come back whose file has lost all others: then only its synced bytes are left.
                (
                    name: name, inode: inode,
                    bytes: remainder(
                        inode,
                        current.first { $0.value == inode }.flatMap {
                            Files.read("\(folder)/\($0.key)")
                        })
                )
            }
            lay(contents, over: current, in: folder)
            let kept = contents.map { "\($0.name):\($0.bytes.count)" }
            trace.note(machine.now, "power cut: \(folder.split(separator: "/").last ?? "") keeps \(kept)")
        }
        (safeBytes, safeNames) = ([:], [:])
        // What is on the disk now is there.
        syncAll()
    }

    /// Files keep their inodes.
    private func lay(
        _ contents: [(name: String, inode: Inode, bytes: [UInt8])], over current: [String: Inode], in folder: String
    ) {
        var aside: [Inode: String] = [:]
        for (number, (name, inode)) in current.sorted(by: { $0.key < $1.key }).enumerated() {
            let path = "\(folder)/.cut-\(number)"
            Glibc.rename("\(folder)/\(name)", path)
            aside[inode] = path
        }
        for (name, inode, bytes) in contents {
            let path = "\(folder)/\(name)"
            var status = stat()
            if let held = aside.removeValue(forKey: inode) { Glibc.rename(held, path) }
            let existed = lstat(path, &status) == 0
            Files.write(bytes, to: path)
            if existed { Files.setTime(status.st_mtim, of: path) }
        }
        for path in aside.values { Glibc.unlink(path) }
    }

    private func remainder(_ inode: Inode, _ now: [UInt8]?) -> [UInt8] {
        let safe = safeBytes[inode] ?? []
        guard let now else { return safe }
        switch Int.random(in: 0...3, using: &machine.random) {
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
