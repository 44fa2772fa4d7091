// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform

/// File metadata.
struct FileStatus: Sendable, Equatable {
    enum Kind: Sendable { case regular, folder, other }

    var kind: Kind
    var size: Int64
    var inode: UInt64
    /// Nanoseconds since 1970. 64 bits do not cover times after April 2262.
    var modifiedNanoseconds: Int128

    init(_ found: stat) {
        kind =
            switch found.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        size = Int64(found.st_size)
        inode = UInt64(found.st_ino)
        modifiedNanoseconds = Int128(found.st_mtim.tv_sec) * 1_000_000_000 + Int128(found.st_mtim.tv_nsec)
    }

    /// Whole seconds since 1970, as `Last-Modified` has them.
    var modified: Int64 {
        let (seconds, rest) = modifiedNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int64(clamping: rest < 0 ? seconds - 1 : seconds)
    }

    /// Strong: a different inode, size or nanosecond gives a different tag.
    var entityTag: String {
        "\"\(String(inode, radix: 16))-\(String(size, radix: 16))-\(String(modifiedNanoseconds, radix: 16))\""
    }
}

extension Descriptor {
    func fileStatus() throws(SystemError) -> FileStatus { FileStatus(try status()) }
}

/// Throws `errno` if a system call returned a negative number.
@discardableResult
func check(_ result: Int32, _ action: String) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(action, errno: errno) }
    return result
}

/// System calls relative to a folder's descriptor; names are single components, links are never followed.
struct FolderDescriptor: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Follows links, since the operator gave the path.
    init(path: String) throws(SystemError) {
        descriptor = Descriptor(owning: try check(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open folder"))
    }

    func folder(_ name: String) throws(SystemError) -> FolderDescriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        return FolderDescriptor(Descriptor(owning: try check(openat(descriptor.number, name, flags), "open folder")))
    }

    func makeFolder(_ name: String, mode: mode_t = 0o777) throws(SystemError) {
        try check(mkdirat(descriptor.number, name, mode), "make folder")
    }

    func status(_ name: String) throws(SystemError) -> FileStatus {
        var found = stat()
        try check(fstatat(descriptor.number, name, &found, AT_SYMLINK_NOFOLLOW), "stat")
        return FileStatus(found)
    }

    /// `nil` if the name does not exist.
    func statusIfPresent(_ name: String) throws(SystemError) -> FileStatus? {
        do throws(SystemError) { return try status(name) } catch {
            if error.errno == ENOENT { return nil }
            throw error
        }
    }

    func create(_ name: String, mode: mode_t = 0o666) throws(SystemError) -> Descriptor {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return Descriptor(owning: try check(openat(descriptor.number, name, flags, mode), "create file"))
    }

    /// Checks the type before opening: opening a device or pipe can have effects or block.
    func openRegular(_ name: String) throws(SystemError) -> Descriptor {
        guard try status(name).kind == .regular else { throw SystemError("open special file", errno: ENOENT) }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = Descriptor(owning: try check(openat(descriptor.number, name, flags), "open file"))
        guard try file.fileStatus().kind == .regular else { throw SystemError("open special file", errno: ENOENT) }
        return file
    }

    func owner() throws(SystemError) -> uid_t { try descriptor.status().st_uid }

    /// Whether the file has the owner of the folder. Links are not followed.
    func isOwn(_ name: String) throws(SystemError) -> Bool {
        var found = stat()
        try check(fstatat(descriptor.number, name, &found, AT_SYMLINK_NOFOLLOW), "stat")
        return found.st_uid == (try owner())
    }

    /// As ``openRegular(_:)``, a file of the folder's owner: others may have written it while the folder was open to
    /// them.
    /// - Throws: `EPERM` if it belongs to another one.
    func openOwn(_ name: String) throws(SystemError) -> Descriptor {
        let file = try openRegular(name)
        guard try file.status().st_uid == owner() else {
            throw SystemError("open file of another user", errno: EPERM)
        }
        return file
    }

    /// `nil` for a file of another user.
    func ownIfAny(_ name: String) throws(SystemError) -> Descriptor? {
        do throws(SystemError) { return try openOwn(name) } catch {
            guard error.errno == EPERM else { throw error }
            return nil
        }
    }

    func remove(_ name: String) throws(SystemError) { try check(unlinkat(descriptor.number, name, 0), "remove file") }

    func removeFolder(_ name: String) throws(SystemError) {
        try check(unlinkat(descriptor.number, name, AT_REMOVEDIR), "remove folder")
    }

    /// Replaces the target atomically.
    func move(_ name: String, to folder: FolderDescriptor, as newName: String) throws(SystemError) {
        try check(renameat(descriptor.number, name, folder.descriptor.number, newName), "rename")
    }

    /// Fails with `EEXIST` if the name exists, atomically.
    func renameWithoutReplacing(_ name: String, to folder: FolderDescriptor, as newName: String) throws(SystemError) {
        try check(linkat(descriptor.number, name, folder.descriptor.number, newName, 0), "link")
        try remove(name)
    }

    /// Names except `.` and `..`, unordered; omits names that are not UTF-8, which no URL can express.
    func names() throws(SystemError) -> [String] {
        // A separate descriptor, since reading a folder moves the position.
        let copy = try check(openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open folder")
        guard let stream = fdopendir(copy) else {
            close(copy)
            throw SystemError("read folder", errno: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    func sync() throws(SystemError) { try descriptor.sync() }
}

extension FolderDescriptor {
    struct TreeEntry: Sendable {
        /// Below the folder where the walk began.
        var path: [String]
        var status: FileStatus
    }

    /// Everything below, a folder before what is in it, in order of the names. Links are not followed.
    /// - Parameter isIncluded: whether a name counts; what is in a folder that does not, does not either.
    /// - Throws: 413 for more entries than `most`, and for more levels than a path may have.
    func tree(atMost most: Int, where isIncluded: (String) throws -> Bool = { _ in true }) throws -> [TreeEntry] {
        var entries: [TreeEntry] = []
        func walk(_ folder: FolderDescriptor, _ path: [String]) throws {
            for name in try folder.names().sorted() where try isIncluded(name) {
                guard entries.count < most, path.count < RequestTarget.maximumDepth else {
                    throw Refusal(.contentTooLarge, "the folder has more than \(most) entries, or too many levels")
                }
                // Another program may have removed it.
                guard let status = try folder.statusIfPresent(name) else { continue }
                entries.append(TreeEntry(path: path + [name], status: status))
                if status.kind == .folder { try walk(folder.folder(name), path + [name]) }
            }
        }
        try walk(self, [])
        return entries
    }
}
