// SPDX-License-Identifier: MIT

import Glibc

/// Files outside the simulation, by plain calls.
enum Files {
    struct Entry {
        var name: String
        var inode: UInt64
        var isFolder: Bool
    }

    /// In alphabetical order.
    static func names(_ folder: String) -> [String] { entries(folder).map(\.name) }

    /// In alphabetical order.
    static func entries(_ folder: String) -> [Entry] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var found: [Entry] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            found.append(
                Entry(
                    name: name, inode: UInt64(entry.pointee.d_ino), isFolder: entry.pointee.d_type == UInt8(DT_DIR)))
        }
        return found.sorted { $0.name < $1.name }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Removes a folder and all below it, or a file.
    static func remove(_ path: String) {
        guard isFolder(path) else {
            unlink(path)
            return
        }
        for name in names(path) { remove("\(path)/\(name)") }
        rmdir(path)
    }

    /// Copies the files of a folder, as the next process finds them, and removes it.
    static func replace(_ folder: String, by next: String) {
        mkdir(next, 0o700)
        for name in names(folder) {
            if let bytes = read("\(folder)/\(name)") { write(bytes, to: "\(next)/\(name)") }
        }
        remove(folder)
    }

    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let count = Int(status.st_size)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
        }
    }

    /// Of a file of the kernel, whose size is not known.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    static func setTime(_ time: timespec, of path: String) {
        var times = [time, time]
        utimensat(AT_FDCWD, path, &times, 0)
    }

    static func write(_ bytes: [UInt8], to path: String) { Simulation.unwatched { put(bytes, at: path) } }

    private static func put(_ bytes: [UInt8], at path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
