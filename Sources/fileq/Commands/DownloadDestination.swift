// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Destinations of the downloads of one run.
struct DownloadDestination {
    private let file: Download.Destination?
    private let folder: String
    private let purpose: PlanPurpose
    private let makesFolders: Bool

    /// - Parameter output: `-o`
    /// - Parameter folder: `-d`, also of a relative `output`.
    /// - Parameter count: the number of downloads.
    /// - Parameter makesFolders: whether missing folders are allowed, as ``makeFolders(_:)`` creates them.
    /// - Throws: code `usage` for contradicting options, `cannotWrite` if a folder is missing.
    init(
        output: String?, folder: String?, count: Int, purpose: PlanPurpose, makesFolders: Bool = false
    ) throws(TransferError) {
        self.folder = folder ?? "."
        self.purpose = purpose
        self.makesFolders = makesFolders
        guard let output else {
            file = nil
            try Self.check(folder: self.folder, mayBeMissing: makesFolders)
            return
        }
        guard count == 1 else {
            throw TransferError(.usage, "-o names one file, but there are \(count) URLs; use -d for a folder")
        }
        let path = output == "-" ? output : Self.path(output, in: self.folder)
        file = try Self.destination(named: path, option: "-o", purpose: purpose, makesFolders: makesFolders)
    }

    /// - Parameter listed: the options of this URL in a list.
    /// - Throws: see ``init(output:folder:count:purpose:)``.
    func destination(for url: TransferURL, _ listed: ListedOptions?) throws(TransferError) -> Download.Destination {
        if let file { return file }
        guard let listed, listed.output != nil || listed.folder != nil else {
            return .folder(path: folder, name: DownloadName.propose(for: url))
        }
        let folder = listed.folder ?? folder
        guard let output = listed.output else {
            try Self.check(folder: folder, mayBeMissing: makesFolders)
            return .folder(path: folder, name: DownloadName.propose(for: url))
        }
        guard !output.isEmpty else { throw TransferError(.usage, "out: the name is empty") }
        let path = Self.path(output, in: folder)
        return try Self.destination(named: path, option: "out", purpose: purpose, makesFolders: makesFolders)
    }

    private static func path(_ output: String, in folder: String) -> String {
        output.isEmpty || output.beginsWithSlash || folder == "."
            ? output : folder + (folder.endsWithSlash ? "" : "/") + output
    }

    /// The system truncates names at NUL.
    private static func check(noNULIn path: String, _ option: String) throws(TransferError) {
        guard !path.utf8.contains(0) else {
            throw TransferError(.usage, option: option, "file names cannot contain NUL")
        }
    }

    /// The folders of `descriptions`, in order, each once.
    static func folders(of descriptions: [Spec]) -> [String] {
        var seen: Set<String> = []
        return descriptions.compactMap { description in
            guard case .download(let download) = description.operation,
                let folder = Self.folder(of: download.destination), seen.insert(folder).inserted
            else { return nil }
            return folder
        }
    }

    /// Creates those of `folders` that are missing, including parents.
    /// - Throws: code `cannotWrite`.
    static func makeFolders(_ folders: [String]) throws(TransferError) {
        for folder in folders where FileStatus(folder) == nil { try make(folder) }
    }

    private static func make(_ folder: String) throws(TransferError) {
        if mkdir(folder, 0o777) == 0 || errno == EEXIST { return }
        let path = folder.trimmed { $0 == "/" }
        if errno == ENOENT, let slash = path.lastSlash {
            let parent = String(path[..<slash])
            try make(folder.beginsWithSlash ? "/\(parent)" : parent)
            if mkdir(folder, 0o777) == 0 || errno == EEXIST { return }
        }
        let code = errno
        throw TransferError(
            .cannotWrite, "the folder '\(folder)' cannot be created: \(TransferError.phrase(errno: code))",
            systemErrno: code)
    }

    private static func folder(of destination: Download.Destination) -> String? {
        switch destination {
        case .stream: nil
        case .folder(let folder, _): folder
        case .file(let path): path.throughLastSlash.map(String.init)
        }
    }

    private static func check(folder: String, mayBeMissing: Bool) throws(TransferError) {
        try check(noNULIn: folder, "-d")
        if mayBeMissing, FileStatus(folder) == nil { return }
        guard let status = FileStatus(folder) else {
            guard errno != ENOTDIR else {
                throw TransferError(.cannotWrite, "no folder '\(folder)': a part of this path is a file")
            }
            throw TransferError(.cannotWrite, "no folder '\(folder)'", fields: .init(variant: .saveFolderMissing))
        }
        guard status.isFolder else { throw TransferError(.cannotWrite, "'\(folder)' is a file, not a folder") }
    }

    private static func destination(
        named output: String, option: String, purpose: PlanPurpose,
        makesFolders: Bool
    ) throws(TransferError) -> Download.Destination {
        if output == "-", option == "-o" {
            try purpose.requireFiles("standard output")
            return .stream(descriptor: STDOUT_FILENO)
        }
        guard !output.isEmpty else { throw TransferError(.usage, option: option, "the name is empty") }
        try check(noNULIn: output, option)
        if let status = FileStatus(output) {
            guard !status.isFolder else {
                throw TransferError(.usage, option: option, "'\(output)' is a folder; use -d to save into it")
            }
            // A descriptor's path may lead to a regular file, whose name must not be replaced.
            let isDescriptor = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"].contains(
                where: output.hasPrefix)
            if isDescriptor {
                try purpose.requireFiles("'\(output)'")
                return .stream(descriptor: try openDevice(output, waits: false))
            }
            let target = try TrustedLink.target(of: output, option: option)
            if !status.isRegular {
                try purpose.requireFiles("'\(output)'")
                guard !status.isPipe || [geteuid(), 0].contains(status.owner) else {
                    throw TransferError(
                        .cannotWrite, option: option,
                        "'\(output)' is a pipe that another user created; use another name")
                }
                return .stream(descriptor: try openDevice(target ?? output, waits: status.isPipe))
            }
            // Resolves a link: its target is replaced, not the link.
            if let target { return .file(path: target) }
        }
        guard !output.endsWithSlash else {
            throw TransferError(.usage, option: option, "'\(output)' names a folder; use -d to save into one")
        }
        try check(folder: output.throughLastSlash.map(String.init) ?? "./", mayBeMissing: makesFolders)
        return .file(path: output)
    }

    /// Seconds for which a pipe waits for its reader, which may have been started at the same time.
    private static let patience = 5.0

    /// A device or pipe is written to directly; replacing it would destroy it.
    private static func openDevice(_ path: String, waits: Bool) throws(TransferError) -> Int32 {
        let end = SystemClock.monotonic + patience
        while true {
            let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
                return descriptor
            }
            let code = errno
            guard code == ENXIO, waits else {
                throw TransferError(.cannotWrite, "'\(path)': \(TransferError.phrase(errno: code))", systemErrno: code)
            }
            guard SystemClock.monotonic < end else {
                throw TransferError(
                    .cannotWrite, "'\(path)': no program reads from this pipe; start the reader first",
                    systemErrno: code)
            }
            usleep(20_000)
        }
    }
}

/// The file name until the server proposes a better one.
enum DownloadName {
    /// The decoded last component of the path, made safe as a file name that is not hidden; `index.html` if it is
    /// empty. One that is not the code of UTF-8 text, such as `50%.pdf`, stays as it is.
    static func propose(for url: TransferURL) -> String {
        guard let segment = url.lastPathSegment ?? url.lastEncodedPathSegment.map(String.init) else {
            return "index.html"
        }
        if isPlain(segment) { return segment }
        return SafeFileName.sanitize(segment.replacing("/", with: "_"), allowsHidden: false) ?? "index.html"
    }

    /// A fast check for the common case: letters, digits and usual punctuation.
    private static func isPlain(_ name: String) -> Bool {
        guard name.utf8.count <= SafeFileName.maximumBytes, name.utf8.first != UInt8(ascii: "."),
            name.utf8.first != UInt8(ascii: "-"), !SafeFileName.isReserved(name)
        else { return false }
        return name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "/") }
    }
}
