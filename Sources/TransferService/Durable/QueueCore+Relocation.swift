// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform
import SessionCore
import TransferControl
import TransferModel

/// Other addresses, credentials and files of transfers.
extension QueueCore {
    func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        try await requeueFromHistory([id])
        let before = await run { $0.queue[id] }
        let (old, dropped) = try await describe(id) { old throws(TransferError) in try old.relocated(to: place) }
        await run { coordinator in coordinator.noteRelocation(of: id, from: old, before, group: place.group) }
        return dropped
    }

    /// Describes a transfer otherwise; its bytes stay.
    /// - Returns: the description before, and what `change` returned beside the new one.
    /// - Throws: code `usage` for a completed transfer, code `cannotWrite` if its bytes cannot be moved; then nothing
    ///   has changed.
    @discardableResult
    func describe(
        _ id: TransferID, _ change: @escaping @Sendable (Spec) throws(TransferError) -> (Spec, [String])
    ) async throws -> (old: Spec, dropped: [String]) {
        await waitForStore()
        let before = try await onStore { core throws(TransferError) in try core.unfinished(id) }
        if let move = PartialMove(from: before, to: try change(before).0), try await isCopy(move) {
            return try await describe(id, copying: move, change)
        }
        return try await onStore { core throws(TransferError) in try core.replace(id, change) }
    }

    /// The same, while its partial files are copied to another file system.
    private func describe(
        _ id: TransferID, copying move: PartialMove,
        _ change: @escaping @Sendable (Spec) throws(TransferError) -> (Spec, [String])
    ) async throws -> (old: Spec, dropped: [String]) {
        let disk = coordinator.configuration.disk
        let copy = PartialCopy(move, await run { $0.sharing(of: id, at: move.old) }, disk)
        let refusal = await withCheckedContinuation { done in
            let coordinator = coordinator
            EngineActor.async { coordinator.beginMove(id, copy) { done.resume(returning: $0) } }
        }
        if let refusal { throw refusal }
        do {
            // From then on the next process finds what this one leaves.
            try await awaitCommit()
            // After what the lane of the folder has to do with the files.
            try await onFiles(at: move.old) { () throws(TransferError) in }
            try await copying { Result { () throws(TransferError) in try copy.carryOut() } }.get()
            let replaced = try await onStore { core throws(TransferError) in
                try core.replace(id, change, after: move)
            }
            // A power cut must not bring the old place back, whose files are gone.
            await flush { _ in }
            await end(copy, of: id, isMoved: true, nil)
            return replaced
        } catch {
            await end(copy, of: id, isMoved: false, error as? TransferError)
            throw (error as? TransferError)?.code == .cancelled ? TransferError.isBeingMoved(id) : error
        }
    }

    private func end(_ copy: PartialCopy, of id: TransferID, isMoved: Bool, _ error: TransferError?) async {
        await copying { copy.end(keepingNew: isMoved) }
        await run { $0.endMove(id, error) }
    }

    private func copying<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in
            coordinator.lanes.performLong { done.resume(returning: body()) }
        }
    }

    /// - Parameter copied: whose files are in both places.
    private func replace(
        _ id: TransferID, _ change: (Spec) throws(TransferError) -> (Spec, [String]), after copied: PartialMove? = nil
    ) throws(TransferError) -> (old: Spec, dropped: [String]) {
        let old = try unfinished(id)
        let (description, dropped) = try change(old)
        let move = PartialMove(from: old, to: description)
        if let copied {
            // Unless a command came meanwhile.
            let isSetAside = EngineActor.sync { coordinator.moves[id]?.standing != nil }
            guard move == copied, isSetAside else { throw TransferError.cancelled }
        } else if let move {
            try recheck(move, id)
        }
        _ = try store.replaceDescription(of: id, with: description)
        EngineActor.sync { coordinator.relocated(id, description, from: old, move) }
        return (old, dropped)
    }

    private func unfinished(_ id: TransferID) throws(TransferError) -> Spec {
        guard let stored = try store.transfer(id), let found = try store.descriptions(of: [id])[id] else {
            throw TransferError.unknownTransfer(id)
        }
        guard stored.state != .completed else {
            throw TransferError(
                .usage, "transfer \(id) is completed: there is nothing left to fetch from another address",
                fields: .init(variant: .alreadyCompleted, transfer: id))
        }
        return try found.get()
    }

    /// Refuses a move for which another command has changed something since ``isCopy(_:)``.
    private func recheck(_ move: PartialMove, _ id: TransferID) throws(TransferError) {
        let (isBeingPlaced, isTaken, isBeingMoved) = EngineActor.sync {
            (coordinator.isBeingPlaced(id), coordinator.isTaken(move.new, for: id), coordinator.moves[id] != nil)
        }
        if isBeingMoved { throw TransferError.isBeingMoved(id) }
        if isBeingPlaced {
            throw TransferError(
                .usage, "transfer \(id) has all its bytes and is about to be completed",
                fields: .init(variant: .almostCompleted, transfer: id))
        }
        if isTaken { throw PartialMove.taken(move.new) }
    }

    /// Whether the bytes are on another file system than their new folder. Neither folder may respond.
    private func isCopy(_ move: PartialMove) async throws -> Bool {
        let (disk, mounts) = (coordinator.configuration.disk, coordinator.mounts)
        let isOneMount = mounts.mount(of: move.old) == mounts.mount(of: move.new)
        let folder = try await onFiles(at: move.new) { () throws(TransferError) in try move.destination() }
        return try await onFiles(at: move.old) { () throws(TransferError) in
            try move.isCopy(to: folder, disk, isOneMount: isOneMount)
        }
    }

    private func onFiles<Value: Sendable>(
        at path: String, _ body: @escaping @Sendable () throws(TransferError) -> Value
    ) async throws -> Value {
        try await withCheckedContinuation { done in
            let coordinator = coordinator
            EngineActor.async { coordinator.onFiles(at: path, body) { done.resume(returning: $0) } }
        }.get()
    }
}

/// The partial files of a download get another name.
struct PartialMove: Sendable, Equatable {
    /// Paths of partial files.
    let old: String
    let new: String

    /// `nil` if the files stay where they are.
    init?(from spec: Spec, to other: Spec) {
        guard let old = spec.partialPath, let new = other.partialPath, old != new else { return nil }
        (self.old, self.new) = (old, new)
    }

    init(from old: String, to new: String) { (self.old, self.new) = (old, new) }

    private static func status(_ path: String) -> stat? {
        var found = stat()
        return stat(path, &found) == 0 ? found : nil
    }

    /// The device of the new folder, and its free bytes.
    func destination() throws(TransferError) -> (device: UInt64, room: Int64) {
        let folder = ParentFolder.path(of: new)
        guard let status = Self.status(folder), status.st_mode & S_IFMT == S_IFDIR else {
            throw TransferError(
                .cannotWrite, "\(folder): there is no such folder",
                fields: .init(path: folder, variant: .folderMissing, option: "directory"))
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw TransferError(
                .cannotWrite, "\(folder): the folder cannot be written",
                fields: .init(path: folder, variant: .folderNotWritable, option: "directory"))
        }
        for path in [new, new + PartialFiles.newSuffix] where DownloadAdmission.exists(path) {
            throw Self.taken(path)
        }
        var space = statvfs()
        let isKnown = statvfs(folder, &space) == 0
        let room = Int64(clamping: space.f_bavail).multipliedReportingOverflow(by: Int64(clamping: space.f_frsize))
        return (UInt64(status.st_dev), isKnown && !room.overflow ? room.partialValue : .max)
    }

    static func taken(_ path: String) -> TransferError {
        TransferError(
            .cannotWrite, "\(path): exists already, from another download of that name",
            fields: .init(path: path, variant: .nameOfOtherDownload, option: "output"))
    }

    /// - Parameter isOneMount: false if one file system is mounted twice, between which nothing is renamed (rename(2)).
    /// - Returns: whether there is something that cannot be renamed to there.
    /// - Throws: code `cannotWrite` if there is no room for it.
    func isCopy(
        to folder: (device: UInt64, room: Int64), _ disk: PlacementDisk, isOneMount: Bool = true
    ) throws(TransferError) -> Bool {
        let found = [old, old + PartialFiles.newSuffix].compactMap { Self.status($0) }
            .filter { !isOneMount || !disk.isSameFileSystem(UInt64($0.st_dev), folder.device) }
        let bytes: Int64 = found.reduce(0) { $0 + min(Int64($1.st_size), Int64($1.st_blocks) * 512) }
        guard bytes <= folder.room else {
            throw TransferError(.cannotWrite, file: .write, path: new, systemErrno: ENOSPC)
        }
        return !found.isEmpty
    }

    /// Renames what there is, in one file system, unless another transfer or program is writing it; nothing is
    /// replaced. Bytes that stay behind are downloaded again; a file without any is removed.
    /// - Parameter sharing: whose files they are.
    func carryOut(leaving sharing: PartialSharing = .alone) {
        guard !PartialFiles.isBusy(old) else { return }
        for suffix in ["", PartialFiles.newSuffix]
        where DownloadAdmission.exists(old + suffix) && !sharing.isOfAnother(old + suffix) {
            // Its record describes its own bytes.
            if DownloadAdmission.exists(new + suffix) { continue }
            let isCopied = PartialRecord.copy(from: old + suffix, to: new + suffix)
            guard clinux_rename_no_replace(old + suffix, new + suffix) == 0 else {
                PartialRecord.remove(new + suffix)
                // Made since the decision to rename, perhaps on another file system: no transfer looks for it there.
                if let file = try? PartialFile(path: old + suffix), file.length == 0 { PartialFiles.remove(file) }
                continue
            }
            if isCopied {
                PartialRecord.remove(old + suffix)
            } else {
                PartialRecord.move(from: old + suffix, to: new + suffix)
            }
        }
    }
}
