// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import Platform
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
    private let names: ServerNames
    /// What bodies may hold in memory.
    let budget: BufferBudget
    /// Held while what stands under a name is compared with what a request expects, and replaced.
    let placing = Mutex(())

    /// Blocks. - Throws: ``StartError``
    init(configuration: FileServerConfiguration, pool: NIOThreadPool) throws {
        self.configuration = configuration
        self.pool = pool
        names = ServerNames(configuration)
        budget = BufferBudget(limit: configuration.limits.bufferBytes)
        do {
            root = try RootFolder(path: configuration.root)
        } catch {
            throw StartError(message: "cannot serve \(configuration.root): \(error.text)")
        }
        work = try WorkFolder(in: root)
        sessions = SessionKeeper(key: work.sessionKey)
        tokenDigest = configuration.token.map(Secret.digest)
        do {
            uploads = try UploadIndex(folder: work.index, root: root, syncs: configuration.syncs)
        } catch {
            let cause = (error as? SystemError)?.text ?? "\(error)"
            throw StartError(message: "cannot read what earlier uploads left: \(cause)")
        }
    }

    /// What to do about a request, once its head is known.
    enum Plan {
        case answer(Answer)
        case receive(Reception)
    }

    func plan(for request: HTTPRequest) async throws -> Plan {
        try checkHead(request.headerFields)
        try checkSite(of: request)
        try checkToken(request.headerFields)
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
        case .listing:
            return .answer(
                try Answer(
                    .ok, headers: [.cacheControl: "no-store"],
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

    /// Framing and bounds of every request.
    private func checkHead(_ fields: HTTPFields) throws(Refusal) {
        let limits = configuration.limits
        _ = try RequestFraming(fields)
        let size = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        guard size <= limits.headerBytes else {
            throw Refusal(
                .requestHeaderFieldsTooLarge,
                "the fields hold \(size) bytes; at most \(limits.headerBytes) are read")
        }
        let cookies = fields[values: .cookie].reduce(0) { $0 + $1.utf8.count }
        guard cookies <= limits.cookieBytes else {
            throw Refusal(
                .requestHeaderFieldsTooLarge,
                "the cookies hold \(cookies) bytes; at most \(limits.cookieBytes) are read")
        }
    }

    /// That the request is meant for this server and comes from no page of another one. A request without `Host` gets
    /// here in HTTP/1.0 alone.
    private func checkSite(of request: HTTPRequest) throws(Refusal) {
        guard request.headerFields[.secondHost] == nil else { throw Refusal(.badRequest, "more than one Host") }
        guard let authority = request.authority else { return }
        guard let host = RequestHost(authority) else { throw Refusal(.badRequest, "Host is no name or address") }
        guard names.accepts(host) else {
            throw Refusal(
                .misdirectedRequest, "the request's Host is no name of this server" + configuration.unknownHostAdvice)
        }
        let isReading = [.get, .head, .options].contains(request.method)
        if !isReading, let origin = request.headerFields[.origin], !ServerNames.isSameSite(origin: origin, host: host) {
            throw Refusal(.forbidden, "pages of other sites may not store or remove files here")
        }
    }

    private func checkToken(_ fields: HTTPFields) throws(Refusal) {
        guard let tokenDigest else { return }
        let words = (fields[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer",
            Secret.areEqual(Secret.digest(String(words[1])), tokenDigest)
        else {
            throw Refusal(
                .unauthorized, "this server asks for a token",
                headers: [.wwwAuthenticate: "Bearer realm=\"fileq\""])
        }
    }

    private func issueSession() throws -> Answer {
        let sid = sessions.issue()
        return try Answer(
            .created,
            headers: [
                .setCookie: "fileuploadSID=\(sid); Path=/; HttpOnly; SameSite=Strict", .cacheControl: "no-store",
            ], json: FileQSession(sid: sid))
    }

    /// Runs blocking work on the pool.
    func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await pool.runIfActive(work)
    }
}
