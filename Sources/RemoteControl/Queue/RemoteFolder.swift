// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import TransferModel

/// Where clients may store files: in and below the download folder, unless the user allows more.
///
/// Paths are compared as text: links in the folder are its owner's. Hidden files are outside, since programs run many
/// of them.
struct RemoteFolder: Sendable {
    /// Absolute.
    let base: String
    let allowsOutside: Bool

    /// - Parameter dir: the option; relative to the download folder unless absolute.
    /// - Returns: an absolute path without a slash at its end.
    func folder(_ dir: String?) throws(RPCFailure) -> String {
        guard let dir else { return base }
        guard dir.beginsWithSlash else { return try Self.join(base, dir, "dir", allowsHidden: allowsOutside) }
        let parts = dir.pathParts
        guard !parts.contains("..") else { throw Self.above("dir") }
        let path = "/" + parts.filter { $0 != "." }.joined(separator: "/")
        if allowsOutside { return path }
        let inner = path.pathParts
        guard inner.starts(with: base.pathParts) else {
            throw RPCFailure("dir is outside of the download folder \(base); allow-outside in [rpc] allows it")
        }
        return try Self.join(base, inner.dropFirst(base.pathParts.count).joined(separator: "/"), "dir")
    }

    /// - Parameter out: a name, which may begin with folders.
    func file(_ out: String, in folder: String) throws(RPCFailure) -> String {
        guard !out.beginsWithSlash || allowsOutside else { throw Self.above("out") }
        let path = try Self.join(out.beginsWithSlash ? "" : folder, out, "out", allowsHidden: allowsOutside)
        guard let name = out.lastPathPart, !out.endsWithSlash, name != "." else {
            throw RemoteOptions.wrong("out", "the name of a file")
        }
        return path
    }

    private static func join(
        _ folder: String, _ text: String, _ option: String, allowsHidden: Bool = false
    ) throws(RPCFailure) -> String {
        var path = folder == "/" ? "" : folder
        for part in text.pathParts where part != "." {
            guard part != "..", let name = SafeFileName.sanitize(String(part)) else { throw above(option) }
            // By bytes: with a combining mark, the period is another character.
            guard allowsHidden || name.utf8.first != UInt8(ascii: ".") else {
                throw RPCFailure("\(option) is hidden; allow-outside in [rpc] allows it")
            }
            path += "/" + name
        }
        return path.isEmpty ? "/" : path
    }

    private static func above(_ option: String) -> RPCFailure {
        RPCFailure("\(option) leads out of the download folder; name a file or folder below it")
    }

    /// Creates the folder and those above it, as aria2 does. Blocks.
    static func create(_ path: String) throws(RPCFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw RPCFailure("the folder \(path) cannot be created")
        }
    }

    /// `path`, or the next free name beside it. Blocks.
    static func free(_ path: String) -> String {
        func isTaken(_ path: String) -> Bool {
            access(path, F_OK) == 0 || access(PartialName.path(for: path), F_OK) == 0
        }
        guard isTaken(path) else { return path }
        let (name, first) = NumberedName.next(String(path.afterLastSlash))
        let folder = path.throughLastSlash ?? ""
        return (first...NumberedName.numbers.upperBound).lazy.map { folder + NumberedName.make(name, $0) }
            .first { !isTaken($0) } ?? path
    }
}
