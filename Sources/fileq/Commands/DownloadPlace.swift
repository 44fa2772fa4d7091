// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// Where downloads of one run go.
struct DownloadPlace {
    private let file: DownloadDescription.Destination?
    private let folder: String
    private let purpose: PlanPurpose

    /// - Parameter output: `-o`
    /// - Parameter folder: `-d`
    /// - Parameter count: of the downloads.
    /// - Throws: code `usage` for what contradicts itself, `cannotWrite` where a folder is missing.
    init(output: String?, folder: String?, count: Int, purpose: PlanPurpose) throws(TransferError) {
        self.folder = folder ?? "."
        self.purpose = purpose
        guard let output else {
            file = nil
            try Self.check(folder: self.folder)
            return
        }
        guard folder == nil else {
            throw TransferError(.usage, "-o and -d contradict each other: give one of them, or -o with the whole path")
        }
        guard count == 1 else {
            throw TransferError(.usage, "-o names one file, and there are \(count) URLs; use -d for a folder")
        }
        file = try Self.destination(named: output, option: "-o", purpose: purpose)
    }

    /// - Parameter listed: what a list says of this one.
    /// - Throws: see ``init(output:folder:count:purpose:)``.
    func destination(for url: TransferURL, _ listed: ListedOptions?) throws(TransferError) -> DownloadDescription.Destination {
        if let file { return file }
        guard let listed, listed.output != nil || listed.folder != nil else { return .folder(path: folder, name: DownloadName.propose(for: url)) }
        let folder = listed.folder ?? folder
        guard let output = listed.output else {
            try Self.check(folder: folder)
            return .folder(path: folder, name: DownloadName.propose(for: url))
        }
        guard !output.isEmpty else { throw TransferError(.usage, "out: the name is empty") }
        let path = output.hasPrefix("/") || folder == "." ? output : folder + (folder.hasSuffix("/") ? "" : "/") + output
        return try Self.destination(named: path, option: "out", purpose: purpose)
    }

    private static func check(folder: String) throws(TransferError) {
        guard let status = FileStatus(folder), status.isFolder else {
            throw TransferError(.cannotWrite, "there is no folder '\(folder)' to save into; make it with 'mkdir -p'")
        }
    }

    private static func destination(named output: String, option: String,
                                    purpose: PlanPurpose) throws(TransferError) -> DownloadDescription.Destination {
        if output == "-", option == "-o" {
            try purpose.requireFiles("standard output")
            return .stream(descriptor: STDOUT_FILENO)
        }
        guard !output.isEmpty else { throw TransferError(.usage, "\(option): the name is empty") }
        if let status = FileStatus(output) {
            guard !status.isFolder else {
                throw TransferError(.usage, "\(option): '\(output)' is a folder; use -d to save into it")
            }
            // Behind a descriptor's name there may be a regular file; the name must not be replaced all the same.
            let isDescriptor = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"].contains(where: output.hasPrefix)
            if !status.isRegular || isDescriptor {
                try purpose.requireFiles("'\(output)'")
                return .stream(descriptor: try openDevice(output))
            }
            // The file that a link points to is meant, not the link.
            var named = stat()
            if lstat(output, &named) == 0, named.st_mode & S_IFMT == S_IFLNK, let target = realpath(output, nil) {
                defer { free(target) }
                return .file(path: String(cString: target))
            }
        }
        guard !output.hasSuffix("/") else {
            throw TransferError(.usage, "\(option): '\(output)' names a folder; use -d to save into one")
        }
        try check(folder: output.lastIndex(of: "/").map { String(output[...$0]) } ?? "./")
        return .file(path: output)
    }

    /// A device or a pipe takes bytes as they come; putting a file in its place would destroy it.
    private static func openDevice(_ path: String) throws(TransferError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            throw TransferError(.cannotWrite, "'\(path)': \(SystemMessage.text(code))", systemErrno: code)
        }
        return descriptor
    }
}

/// What a download is called until the server says better.
enum DownloadName {
    /// The decoded last segment of the path, made fit for a file name; `index.html` where there is none.
    static func propose(for url: TransferURL) -> String {
        guard let segment = url.lastPathSegment else { return "index.html" }
        if isPlain(segment) { return segment }
        // NAME.fileq-part.json must still be a name: 255 bytes are the limit of every common file system.
        return SafeFileName.sanitize(segment.replacing("/", with: "_"), maximumBytes: 238) ?? "index.html"
    }

    /// What most names are, told quickly: letters, digits and the usual signs between them.
    private static func isPlain(_ name: String) -> Bool {
        guard name.utf8.count <= 238, name.utf8.first != UInt8(ascii: "."),
            !SafeFileName.reservedSuffixes.contains(where: name.hasSuffix) else { return false }
        return name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "/") }
    }
}
