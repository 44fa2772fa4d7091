// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// The folder that is served. Every way into it goes component by component with `openat` and without following links,
/// so no path leads out of it, whatever happens to the tree meanwhile. Its functions block.
struct RootFolder: Sendable {
    let folder: FolderDescriptor

    init(path: String) throws(SystemError) { folder = try FolderDescriptor(path: path) }

    /// The folder that holds the last of `components`, and that last one. `components` is not empty.
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

    /// What stands at `components`; `nil` where nothing does, not even all folders on the way.
    /// - Throws: `ENOTDIR` or `ELOOP` where something else than a folder is on the way.
    func status(_ components: [String]) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            let (folder, name) = try parent(of: components)
            return try folder.statusIfPresent(name)
        } catch {
            if error.errno == ENOENT { return nil }
            throw error
        }
    }

    /// The folder at `components`; what is missing of it is made, and durable where `syncing`.
    func makeSubfolder(_ components: some Sequence<String>, syncing: Bool) throws(SystemError) -> FolderDescriptor {
        var current = folder
        for name in components {
            do throws(SystemError) {
                try current.makeFolder(name)
                if syncing { try current.sync() }
            } catch {
                guard error.errno == EEXIST else { throw error }
            }
            current = try current.folder(name)
        }
        return current
    }
}
