// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import Synchronization
import TransferModel

/// Carries out requests. Decides first, from the head alone; reads the body only when it is wanted; and does all file
/// work on the thread pool.
final class RequestHandler: Sendable {
    let configuration: FileServerConfiguration
    let root: RootFolder
    let work: WorkFolder
    let uploads: UploadIndex
    let sessions: SessionKeeper
    let pool: NIOThreadPool
    private let tokenDigest: [UInt8]?
    /// Held while what stands under a name is compared with what a request expects, and replaced.
    let placing = Mutex(())

    /// Blocks. - Throws: ``StartError``
    init(configuration: FileServerConfiguration, pool: NIOThreadPool) throws {
        self.configuration = configuration
        self.pool = pool
        do {
            root = try RootFolder(path: configuration.root)
        } catch {
            throw StartError(message: "cannot serve \(configuration.root): \(error.message)")
        }
        work = try WorkFolder(in: root)
        sessions = SessionKeeper(key: work.sessionKey)
        tokenDigest = configuration.token.map(Secret.digest)
        do {
            uploads = try UploadIndex(folder: work.index, root: root, syncs: configuration.syncs)
        } catch {
            throw StartError(message: "cannot read what earlier uploads left: \((error as? SystemError)?.message ?? "\(error)")")
        }
    }

    /// What to do about a request, once its head is known.
    enum Plan {
        case answer(Answer)
        case receive(Reception)
    }

    func plan(for request: HTTPRequest) async throws -> Plan {
        try checkHead(request.headerFields)
        let target = try RequestTarget(request.path ?? "")
        let allowed = target.allowedMethods
        if request.method == .options {
            return .answer(Answer(.noContent, headers: [.allow: allowed.map(\.rawValue).joined(separator: ", ")]))
        }
        guard allowed.contains(request.method) else { throw Refusal.methodNotAllowed(allowed) }
        switch target {
        case .server: throw Refusal.methodNotAllowed([.options])
        case .session: return .answer(try issueSession())
        case .upload: return try await planUpload(request)
        case .listing: return .answer(try Answer(.ok, headers: [.cacheControl: "no-store"],
                                                 json: FileQListing(files: uploads.all.map(\.listing))))
        case .stored(let id, let name):
            let record = try record(id: id, name: name)
            if request.method == .delete { return .answer(try await delete(record)) }
            return .answer(try await read(record.path, for: request, as: record))
        case .plain(let components, let isFolder):
            if request.method == .put { return try await planPut(components, request) }
            if isFolder { return .answer(try await list(components)) }
            return .answer(try await read(components, for: request, as: nil))
        }
    }

    /// Bounds and the token: what holds for every request.
    private func checkHead(_ fields: HTTPFields) throws(Refusal) {
        let limits = configuration.limits
        let size = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        guard size <= limits.headerBytes else {
            throw Refusal(.requestHeaderFieldsTooLarge, "the fields hold \(size) bytes; at most \(limits.headerBytes) are read")
        }
        let cookies = fields[values: .cookie].reduce(0) { $0 + $1.utf8.count }
        guard cookies <= limits.cookieBytes else {
            throw Refusal(.requestHeaderFieldsTooLarge, "the cookies hold \(cookies) bytes; at most \(limits.cookieBytes) are read")
        }
        guard let tokenDigest else { return }
        let words = (fields[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer",
            Secret.areEqual(Secret.digest(String(words[1])), tokenDigest) else {
            throw Refusal(.unauthorized, "this server asks for a token", headers: [.wwwAuthenticate: "Bearer realm=\"fileq\""])
        }
    }

    private func issueSession() throws -> Answer {
        let sid = sessions.issue()
        return try Answer(.created, headers: [
            .setCookie: "fileuploadSID=\(sid); Path=/; HttpOnly; SameSite=Strict", .cacheControl: "no-store",
        ], json: FileQSession(sid: sid))
    }

    /// Runs blocking work on the pool.
    func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await pool.runIfActive(work)
    }
}
