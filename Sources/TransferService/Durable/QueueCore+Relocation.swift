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
        await run { coordinator in coordinator.noteRelocation(of: id, from: old, before) }
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
        if let move = PartialMove(from: before, to: try change(before).0) { try await check(move) }
        return try await onStore { core throws(TransferError) in
            let old = try core.unfinished(id)
            let (description, dropped) = try change(old)
            let move = PartialMove(from: old, to: description)
            if let move { try core.recheck(move, id) }
            _ = try core.store.replaceDescription(of: id, with: description)
            EngineActor.sync { core.coordinator.relocated(id, description, from: old, move) }
            return (old, dropped)
        }
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

    /// What another command has changed since ``check(_:)``.
    private func recheck(_ move: PartialMove, _ id: TransferID) throws(TransferError) {
        let (isBeingPlaced, isTaken) = EngineActor.sync {
            (coordinator.isBeingPlaced(id), coordinator.isTaken(move.new, for: id))
        }
        if isBeingPlaced {
            throw TransferError(
                .usage, "transfer \(id) has all its bytes and is about to be completed",
                fields: .init(variant: .almostCompleted, transfer: id))
        }
        if isTaken { throw PartialMove.taken(move.new) }
    }

    /// Neither folder may respond.
    private func check(_ move: PartialMove) async throws {
        let folder = try await onFiles(at: move.new) { () throws(TransferError) in try move.destination() }
        try await onFiles(at: move.old) { () throws(TransferError) in try move.check(device: folder) }
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

/// The partial files of a download get another name, in the same file system.
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

    /// The device of the new folder.
    func destination() throws(TransferError) -> UInt64 {
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
        return UInt64(status.st_dev)
    }

    static func taken(_ path: String) -> TransferError {
        TransferError(
            .cannotWrite, "\(path): exists already, from another download of that name",
            fields: .init(path: path, variant: .nameOfOtherDownload, option: "output"))
    }

    /// - Parameter device: of the new folder.
    func check(device: UInt64) throws(TransferError) {
        let found = [old, old + PartialFiles.newSuffix].compactMap { Self.status($0) }
        guard found.contains(where: { $0.st_size > 0 && UInt64($0.st_dev) != device }) else { return }
        throw TransferError(
            .cannotWrite,
            "\(ParentFolder.path(of: new)): another file system: the bytes so far cannot be moved there",
            fields: .init(path: ParentFolder.path(of: new), variant: .otherFileSystem, option: "directory"))
    }

    /// Moves what there is, unless another transfer or program is writing it; nothing is replaced. What stays behind
    /// is downloaded again.
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
