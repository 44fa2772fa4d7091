// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization

/// The served folder. Every access goes component by component with `openat` and without following links, so no path
/// leads out of it, even during concurrent changes. Its functions block.
struct RootFolder: Sendable {
    let folder: FolderDescriptor

    init(_ folder: FolderDescriptor) { self.folder = folder }

    init(path: String) throws(SystemError) { folder = try FolderDescriptor(path: path) }

    /// The parent folder of `components`, and the last component. `components` is not empty.
    private func parent(of components: [String]) throws(SystemError) -> (FolderDescriptor, String) {
        (try subfolder(components.dropLast()), components[components.count - 1])
    }

    func subfolder(_ components: some Sequence<String>) throws(SystemError) -> FolderDescriptor {
        var current = folder
        for name in components { current = try current.folder(name) }
        return current
    }

    func openFile(_ components: [String]) throws(SystemError) -> OpenFile {
        let (folder, name) = try parent(of: components)
        return try OpenFile(folder.openRegular(name))
    }

    /// The file at `components`; `nil` if it or one of its parents does not exist.
    /// - Throws: `ENOTDIR` or `ELOOP` if a parent is not a folder.
    func status(_ components: [String]) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            let (folder, name) = try parent(of: components)
            return try folder.statusIfPresent(name)
        } catch {
            if error.errno == ENOENT { return nil }
            throw error
        }
    }

    /// The folder at `components`; creates missing parents, and syncs them with `syncing`.
    func makeSubfolder(_ components: some Sequence<String>, syncing: Bool) throws(SystemError) -> FolderDescriptor {
        var current = folder
        for name in components { current = try makeFolder(name, in: current, syncing) }
        return current
    }

    private func makeFolder(
        _ name: String, in parent: FolderDescriptor, _ syncing: Bool
    ) throws(SystemError) -> FolderDescriptor {
        do throws(SystemError) {
            let existing = try parent.folder(name)
            // Another request may have created it, and not synced its name yet.
            if syncing, creations.count.load(ordering: .sequentiallyConsistent) > 0 { try parent.sync() }
            return existing
        } catch {
            guard error.errno == ENOENT else { throw error }
        }
        creations.count.add(1, ordering: .sequentiallyConsistent)
        defer { creations.count.subtract(1, ordering: .sequentiallyConsistent) }
        do throws(SystemError) { try parent.makeFolder(name) } catch {
            guard error.errno == EEXIST else { throw error }
        }
        if syncing { try parent.sync() }
        return try parent.folder(name)
    }

    private let creations = Creations()

    /// Folders under creation, from before one is created until its name is synced.
    private final class Creations: Sendable {
        let count = Atomic(0)
    }
}
