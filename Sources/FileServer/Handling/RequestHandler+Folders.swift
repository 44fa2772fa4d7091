// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
import Synchronization
import TransferModel

/// Folders as a whole: archives, new ones, and their end.
extension RequestHandler {
    /// `GET` and `HEAD` of `/PATH/?zip`
    func zip(_ components: [String], for request: HTTPRequest) async throws -> Answer {
        let (archive, first) = try await archive(of: components, for: request)
        let name = (components.last ?? "files") + ".zip"
        var answer = Answer(
            .ok,
            headers: [
                .contentType: "application/zip", .cacheControl: "no-store", .acceptRanges: "none",
                .contentDisposition: ContentDisposition(fileName: name).description,
            ], body: .file(archive, 0..<archive.size, first: first))
        guard let memory = bodies.take(archive.memory) else { throw WorkGate.busy }
        answer.memory = memory
        return answer
    }

    /// The archive, and its first bytes.
    private func archive(
        of components: [String], for request: HTTPRequest
    ) async throws -> (ZipArchive, OpenFile.Chunk) {
        let (root, listsHidden) = (root, configuration.listsHidden)
        let chunk = Int64(min(Pace(rate: configuration.rate).chunk, 64 * 1024))
        return try await listings.run(atMost: Self.listingPatience) {
            try await blocking {
                do {
                    let archive = try ZipArchive(of: components, in: root, listsHidden: listsHidden)
                    let first = request.method == .head ? 0..<0 : 0..<min(chunk, archive.size)
                    return (archive, try archive.read(first))
                } catch let error as SystemError where error.meansAbsent {
                    throw Refusal.notFound
                }
            }
        }
    }

    /// `MKCOL /PATH/` (RFC 4918, section 9.3)
    func makeFolder(_ components: [String], _ request: HTTPRequest) async throws -> Answer {
        guard try RequestFraming(request.headerFields) == .none else {
            throw Refusal(.unsupportedMediaType, "MKCOL takes no content")
        }
        let (root, syncs) = (root, configuration.syncs)
        return try await blocking {
            guard let name = components.last, try root.status(components) == nil else {
                throw Refusal(.methodNotAllowed, "something of this name exists", headers: [.allow: "GET, HEAD"])
            }
            let parent: FolderDescriptor
            do throws(SystemError) { parent = try root.subfolder(components.dropLast()) } catch {
                throw error.meansAbsent ? Refusal(.conflict, "the folder above does not exist") : error.refusal
            }
            try parent.makeFolder(name)
            if syncs { try parent.sync() }
            return Answer(.created, text: "made")
        }
    }

    /// `DELETE /PATH` and, with all that is in it, `/PATH/`; only where the operator allows it.
    func delete(_ components: [String], isFolder: Bool, _ request: HTTPRequest) async throws -> Answer {
        guard let name = components.last else { throw Refusal(.forbidden, "the served folder itself stays") }
        let (root, conditions) = (root, Preconditions(request))
        return try await listings.run(atMost: Self.listingPatience) {
            try await blocking {
                let status: FileStatus?
                do throws(SystemError) { status = try root.status(components) } catch {
                    throw error.meansAbsent ? Refusal.notFound : error.refusal
                }
                guard status?.kind == (isFolder ? .folder : .regular) else { throw Refusal.notFound }
                let parent = try root.subfolder(components.dropLast())
                if isFolder {
                    try Self.empty(try parent.folder(name))
                    try parent.removeFolder(name)
                } else {
                    try self.placing.withLock { _ in
                        try Self.check(conditions, try parent.statusIfPresent(name))
                        try parent.remove(name)
                    }
                }
                return Answer(.noContent)
            }
        }
    }

    /// - Throws: 409 for one in which another server has data.
    private static func empty(_ folder: FolderDescriptor) throws {
        let entries = try folder.tree(atMost: ZipArchive.mostEntries) { name in
            guard !RequestTarget.isWorkFolder(name) else {
                throw Refusal(.conflict, "another server has data in the folder")
            }
            return true
        }
        // A folder is removed after its content.
        for entry in entries.reversed() {
            let parent = try RootFolder(folder).subfolder(entry.path.dropLast())
            let name = entry.path[entry.path.count - 1]
            entry.status.kind == .folder ? try parent.removeFolder(name) : try parent.remove(name)
        }
    }
}
