// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform
import SessionCore

/// The folder of many small files: open, so that each costs few and short calls. Used by the engine alone, for folders
/// on local file systems.
final class FetchFolder {
    private let folder: Descriptor
    private var hasNamelessFiles: Int32 = 1
    /// Whether its file system has no disk.
    let isInMemory: Bool

    /// - Returns: `nil` where no file can be created in it.
    init?(_ path: String, isInMemory: (Int32) -> Bool) {
        guard let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY),
            faccessat(folder.number, ".", W_OK | X_OK, AT_EACCESS) == 0
        else { return nil }
        self.folder = folder
        self.isInMemory = isInMemory(folder.number)
    }

    /// Whether there is neither a file of this name nor anything kept of an earlier download of it.
    func isUntouched(_ name: String) -> Bool {
        Self.endings.withUnsafeBufferPointer { clinux_is_untouched(folder.number, name, $0.baseAddress) } == 1
    }

    // Never changed, never freed.
    nonisolated(unsafe) private static let endings: [UnsafePointer<CChar>?] = {
        let partial = DownloadAdmission.partialEnding
        let texts = ["", partial, partial + PartialFiles.newSuffix]
        return texts.map { UnsafePointer(strdup($0)) } + [nil]
    }()

    /// Creates a file that must not exist yet.
    /// - Returns: 0 or an errno; then nothing is left of it.
    func create(_ name: String, _ file: FetchedFile) -> Int32 {
        clinux_create_whole(
            folder.number, name, name + DownloadAdmission.partialEnding, file.body.baseAddress, Int64(file.body.count),
            file.modified ?? 0, file.modified == nil ? 0 : 1, &hasNamelessFiles)
    }
}

/// Open folders, for a moment: what is renamed or mounted meanwhile is noticed with the next look.
struct FetchFolders {
    private static let interval = 0.5
    private var folders: [String: FetchFolder?] = [:]
    private var last: (path: String, folder: FetchFolder?)?
    private var openedAt = -Double.infinity

    /// - Returns: the folder at `path`; `nil` where `open` finds none that is fit.
    mutating func folder(at path: String, now: Double, open: (String) -> FetchFolder?) -> FetchFolder? {
        if now - openedAt >= Self.interval || folders.count >= 64 {
            folders.removeAll(keepingCapacity: true)
            last = nil
            openedAt = now
        }
        if let last, last.path == path { return last.folder }
        let folder = if let known = folders[path] { known } else { open(path) }
        folders.updateValue(folder, forKey: path)
        last = (path, folder)
        return folder
    }

    mutating func close() { (folders, last) = ([:], nil) }
}
