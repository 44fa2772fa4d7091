// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform
import SessionCore
import TransferModel

/// The folder of many small files: open, so that each costs few and short calls. Used by the engine alone, for folders
/// on local file systems.
final class FetchFolder {
    let folder: Descriptor
    /// Which folder it is, whatever its path.
    let identity: (device: UInt64, inode: UInt64)
    /// Whether something may be kept in it of earlier downloads. Other processes that add to that meanwhile write the
    /// same files, of which one gets its name.
    private var mayHoldPartials: Bool
    private var hasNamelessFiles: Int32 = 1
    /// Whether its file system has no disk.
    let isInMemory: Bool

    /// More entries are not looked through.
    private static let maximumEntries: Int32 = 20_000

    /// - Returns: `nil` where no file can be created in it.
    init?(_ path: String, isInMemory: (Int32) -> Bool) {
        guard let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY),
            faccessat(folder.number, ".", W_OK | X_OK, AT_EACCESS) == 0, let status = try? folder.status()
        else { return nil }
        self.folder = folder
        identity = (UInt64(status.st_dev), UInt64(status.st_ino))
        self.isInMemory = isInMemory(folder.number)
        mayHoldPartials =
            clinux_names_contain(folder.number, PartialName.ending, Self.maximumEntries) != 0
    }

    /// Whether files can get all their bytes before their names.
    private(set) lazy var hasNamelessFilesThatGetNames = clinux_has_nameless_files(folder.number) == 1

    /// Whether `path` still leads to it.
    func isAt(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && (UInt64(status.st_dev), UInt64(status.st_ino)) == identity
    }

    /// A run keeps a file in it from now on.
    func notePartial() { mayHoldPartials = true }

    /// Whether nothing is kept of an earlier download of this name, and no file has it. A run looks for the partial
    /// files of a long name, and finds another one for what the file system does not take.
    /// - Parameter checksName: false where that is found out when the file gets its name.
    func isUntouched(_ name: String, checksName: Bool) -> Bool {
        guard name.utf8.count <= SafeFileName.bytesBeforeSuffixes, !SafeFileName.hasWindowsReserved(name) else {
            return false
        }
        guard checksName || mayHoldPartials else { return true }
        let endings = mayHoldPartials ? Self.allEndings : Self.ownName
        return endings.withUnsafeBufferPointer { clinux_is_untouched(folder.number, name, $0.baseAddress) } == 1
    }

    // Never changed, never freed.
    nonisolated(unsafe) private static let ownName: [UnsafePointer<CChar>?] = [UnsafePointer(strdup("")), nil]
    nonisolated(unsafe) private static let allEndings: [UnsafePointer<CChar>?] = {
        let partial = PartialName.ending
        let texts = ["", partial, partial + PartialFiles.newSuffix]
        return texts.map { UnsafePointer(strdup($0)) } + [nil]
    }()

    /// Creates a file that gets its name later.
    /// - Throws: an errno; then nothing is left of it.
    func createNameless(_ file: FetchedFile) throws(FileCode) -> NamelessFile {
        var (device, inode): (UInt64, UInt64) = (0, 0)
        let descriptor = clinux_create_nameless(
            folder.number, file.body.baseAddress, Int64(file.body.count), file.modified ?? 0,
            file.modified == nil ? 0 : 1, &device, &inode)
        guard descriptor >= 0 else { throw FileCode(number: errno) }
        return NamelessFile(
            descriptor: Descriptor(owning: descriptor), folder: folder, device: device, inode: inode)
    }

    struct FileCode: Error { let number: Int32 }

    /// Creates a file that must not exist yet.
    /// - Returns: 0 or an errno; then nothing is left of it.
    func create(_ name: String, _ file: FetchedFile) -> Int32 {
        clinux_create_whole(
            folder.number, name, name + PartialName.ending, file.body.baseAddress, Int64(file.body.count),
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
            folders = folders.count >= 64 ? [:] : folders.filter { path, folder in folder?.isAt(path) == true }
            last = nil
            openedAt = now
        }
        if let last, last.path == path { return last.folder }
        let folder = if let known = folders[path] { known } else { open(path) }
        folders.updateValue(folder, forKey: path)
        last = (path, folder)
        return folder
    }

    /// A run keeps a file there.
    func notePartial(_ path: String) {
        guard !folders.isEmpty else { return }
        folders[ParentFolder.path(of: path)]??.notePartial()
    }

    mutating func close() { (folders, last) = ([:], nil) }
}
