// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Whose bytes the partial files at one path are, if several transfers have the same file. Their records name the
/// addresses that the bytes are from.
struct PartialSharing: Sendable, Equatable {
    /// No other transfer has bytes there.
    static let alone = PartialSharing(url: "", hasBytes: true, others: [])

    /// The address of the transfer.
    let url: String
    /// Whether it has bytes.
    let hasBytes: Bool
    /// The addresses of the others that have bytes.
    let others: Set<String>

    /// Whether the bytes of a partial file are those of another transfer. May wait for the file system.
    /// - Parameter keepsShared: whether bytes that both have, at one address, count as the other's.
    func isOfAnother(_ path: String, keepsShared: Bool = false) -> Bool {
        guard !others.isEmpty else { return false }
        let found = PartialRecord.load(PartialRecord.path(of: path))
        if let found, found.url == url {
            // Others may have had them first, at the link before it was renewed.
            return PartialRecord.address(of: found, among: others) != nil && (keepsShared || !hasBytes)
        }
        if let found, others.contains(found.url) { return true }
        return !hasBytes
    }
}

extension Transfer {
    /// Whether the transfer is a download whose bytes have a partial name.
    var hasPartialBytes: Bool { kind == .download && bytes > 0 && state != .completed }
}

extension Coordinator {
    /// Which bytes at the path of a partial file are those of other transfers, which need not have it open now.
    /// - Parameter path: that of the transfer, or the one before it was relocated.
    func sharing(of id: TransferID, at path: String) -> PartialSharing {
        guard let own = queue[id], own.kind == .download else { return .alone }
        if mounts.mount(of: path).isLocal, !PartialFiles.exist(at: path) { return .alone }
        var others: Set<String> = []
        for other in begunDownloads()[String(path.afterLastSlash)] ?? [] where other != id {
            guard let transfer = queue[other], transfer.hasPartialBytes,
                isSameFile(partialPath(of: transfer), path)
            else { continue }
            others.insert(transfer.url)
        }
        return PartialSharing(url: own.url, hasBytes: own.bytes > 0, others: others)
    }

    func sharing(of id: TransferID) -> PartialSharing {
        guard let own = queue[id] else { return .alone }
        return sharing(of: id, at: partialPath(of: own))
    }

    /// Whether there are bytes at the path of a partial file, or another transfer moves its open file there.
    func isTaken(_ path: String, for id: TransferID) -> Bool {
        if mounts.mount(of: path).isLocal, PartialFiles.exist(at: path) { return true }
        return runs.values.contains { run in
            guard run.id != id, (run as? DownloadRun)?.hasFiles == true, let other = run.description.partialPath else {
                return false
            }
            return other.afterLastSlash == path.afterLastSlash && isSameFile(other, path)
        }
    }

    private func partialPath(of transfer: Transfer) -> String {
        (runs[transfer.id]?.description ?? specCache.known(transfer.id))?.partialPath
            ?? PartialName.path(for: transfer.file)
    }

    /// Downloads with partial bytes, by the name of the file. Many commands in one call search it once.
    private func begunDownloads() -> [String: [TransferID]] {
        if let begun { return begun }
        var found: [String: [TransferID]] = [:]
        for id in queue.order {
            guard let transfer = queue[id], transfer.hasPartialBytes else { continue }
            found[String(partialPath(of: transfer).afterLastSlash), default: []].append(id)
        }
        begun = found
        EngineActor.async { [weak self] in self?.begun = nil }
        return found
    }

    /// Of paths that end in the same name. A folder that may not respond is not asked.
    private func isSameFile(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        let folders = [one, other].map { ParentFolder.path(of: $0) }
        guard folders.allSatisfy({ mounts.mount(of: $0).isLocal }) else { return false }
        let found = folders.compactMap { path -> stat? in
            var status = stat()
            return stat(path, &status) == 0 ? status : nil
        }
        guard found.count == 2 else { return false }
        return found[0].st_ino == found[1].st_ino && found[0].st_dev == found[1].st_dev
    }
}
