// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import Platform
import Synchronization
import TransferModel

/// Handles requests. It decides from the head alone and reads a body only after accepting it. File work is done on the
/// thread pool, except some writes (`WritePlace`).
final class RequestHandler: Sendable {
    let configuration: FileServerConfiguration
    let root: RootFolder
    let work: WorkFolder
    let uploads: UploadIndex
    let resumables: UploadStore
    let shares: ShareStore
    let sessions: SessionIDSigner
    let pool: NIOThreadPool
    let tokenDigest: [UInt8]?
    /// `nil` without a token.
    let logins: LoginStore?
    /// Of passwords of links, and of the token.
    let guesses = GuessLimit()
    private let names: ServerNames
    /// The memory budget of bodies.
    let budget: BufferBudget
    /// The sizes of receive buffers.
    let buffers = ReceiveBuffers()
    let writePlace: WritePlace
    /// The memory of bodies that are made in memory, such as listings.
    let bodies = BodyMemory(limit: 64 << 20)
    let listings = WorkGate(width: 2, mostWaiting: 64)
    let joins = WorkGate(width: 2, mostWaiting: 64)
    let passwords = PasswordThread()
    /// The umask of this process, applied to files that were private while unfinished.
    let umask: mode_t
    /// Held from the check of preconditions to the replacement, but not during syncs.
    let placing = Mutex(())

    /// Blocks. - Throws: ``StartError``
    init(configuration: FileServerConfiguration, pool: NIOThreadPool) throws {
        self.configuration = configuration
        self.pool = pool
        names = ServerNames(configuration)
        umask = ProcessUmask.read() ?? 0o077
        budget = BufferBudget(limit: configuration.limits.bufferBytes)
        do {
            root = try RootFolder(path: configuration.root)
        } catch {
            throw StartError(.folder, "cannot serve \(configuration.root): \(error.text)")
        }
        work = try WorkFolder(in: root)
        let canBeEventLoop = configuration.tls == nil && work.partial.descriptor.isLocal
        writePlace = WritePlace(canBeEventLoop: canBeEventLoop, buffers: buffers)
        sessions = SessionIDSigner(key: work.sessionKey)
        tokenDigest = configuration.token.map(Secret.digest)
        let folder = work.folder
        logins = tokenDigest.map { LoginStore(folder: folder, tokenDigest: $0) }
        do {
            uploads = try UploadIndex(folder: work.index, root: root, syncs: configuration.syncs)
            resumables = try UploadStore(
                folder: work.uploads, limits: configuration.limits, syncs: configuration.syncs)
            shares = try ShareStore(
                folder: work.shares, syncs: configuration.syncs, now: UploadStore.now())
        } catch {
            let cause = (error as? SystemError)?.text ?? "\(error)"
            throw StartError(.uploads, "cannot read the uploads in the folder: \(cause)")
        }
    }

    /// The decision on a request after its head.
    enum Plan {
        case answer(Answer)
        case receive(Reception)
        case append(UploadAppend)
        /// The content of a form, which is answered when it has been received.
        case form
    }

    /// With the method that counts: tus has a field for clients that cannot send `PATCH` or `DELETE`.
    static func overridden(_ received: HTTPRequest) throws(Refusal) -> HTTPRequest {
        guard received.method == .post, received.headerFields[.tusResumable] != nil,
            let name = received.headerFields[.methodOverride], name != HTTPRequest.Method.post.rawValue
        else { return received }
        guard let method = HTTPRequest.Method(name), [.patch, .delete].contains(method) else {
            throw Refusal(.badRequest, "X-HTTP-Method-Override can be PATCH or DELETE")
        }
        var request = received
        request.method = method
        return request
    }

    /// - Parameters:
    ///   - request: as ``overridden(_:)`` returns it.
    ///   - peer: the client.
    func plan(for request: HTTPRequest, from peer: SocketAddress?) async throws -> Plan {
        try checkHead(request.headerFields)
        try checkSite(of: request)
        func network() -> String { OpenConnections.network(of: peer?.ipAddress ?? "") }
        if !Self.usesLink(request) {
            switch try await admission(of: request, from: network()) {
            case .admitted: break
            case .form:
                let isFromElsewhere = request.headerFields[.secFetchSite] == "cross-site"
                return .answer(
                    LoginPage.answer(
                        .unauthorized, PageLanguage(of: request), because: nil, isFromElsewhere: isFromElsewhere))
            case .attempt: return .form
            }
        }
        let target = try RequestTarget(request.path ?? "")
        let allowed = target.allowedMethods(deletes: configuration.allowsDelete)
        if request.method == .options {
            return .answer(try options(for: target, allowed, request.headerFields))
        }
        guard allowed.contains(request.method) else { throw Refusal.methodNotAllowed(allowed) }
        switch target {
        case .server: throw Refusal.methodNotAllowed([.options])
        case .session: return .answer(try issueSession())
        case .fileQ: return try await planUpload(request)
        case .upload(let id): return try await planUploadResource(id, request)
        case .share: return .answer(try await makeLink(request))
        case .link(let id, let name):
            if request.method == .post {
                guard Self.isForm(request) else { throw Refusal(.unsupportedMediaType, "only the form of the page") }
                return .form
            }
            return .answer(try await useLink(id, name: name, request, from: network()))
        case .listing:
            if request.method == .post { return try await planPost(to: nil, request) }
            return .answer(try await listUploads(for: request))
        case .stored(let id, let name):
            let record = try record(id: id, name: name)
            if request.method == .delete { return .answer(try await delete(record)) }
            return .answer(try await read(record.path, for: request, as: record))
        case .plain(let components, let isFolder):
            if request.method == .put { return try await planPut(components, request) }
            if request.method == .post { return try await planPost(to: components, request) }
            if request.method == .mkcol { return .answer(try await makeFolder(components, request)) }
            if request.method == .delete {
                return .answer(try await delete(components, isFolder: isFolder, request))
            }
            if isFolder, Self.hasQuery("zip", in: request.path ?? "") {
                return .answer(try await zip(components, for: request))
            }
            if isFolder { return .answer(try await list(components, for: request)) }
            return .answer(try await read(components, for: request, as: nil))
        }
    }

    /// Framing and limits of every request.
    private func checkHead(_ fields: HTTPFields) throws(Refusal) {
        let limits = configuration.limits
        _ = try RequestFraming(fields)
        let size = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        guard size <= limits.headerBytes else {
            throw Refusal(
                .requestHeaderFieldsTooLarge,
                "the header fields have \(size) bytes; at most \(limits.headerBytes) are allowed")
        }
        let cookies = fields[values: .cookie].reduce(0) { $0 + $1.utf8.count }
        guard cookies <= limits.cookieBytes else {
            throw Refusal(
                .requestHeaderFieldsTooLarge,
                "the cookies have \(cookies) bytes; at most \(limits.cookieBytes) are allowed")
        }
    }

    /// Checks the host, which `HeadGuard` has taken from the target if that has one, and `Origin`. Only HTTP/1.0
    /// requests get here without.
    private func checkSite(of request: HTTPRequest) throws(Refusal) {
        guard request.headerFields[.secondHost] == nil else { throw Refusal(.badRequest, "more than one Host") }
        guard let authority = request.authority else { return }
        guard let host = RequestHost(authority) else { throw Refusal(.badRequest, "Host is not a name or address") }
        guard names.accepts(host) else {
            throw Refusal(
                .misdirectedRequest, "the request's Host is not a name of this server" + configuration.unknownHostAdvice
            )
        }
        let isReading = [.get, .head, .options].contains(request.method)
        let isEncrypted = configuration.tls != nil
        if !isReading, let origin = request.headerFields[.origin],
            !ServerNames.isSameSite(origin: origin, host: host, isEncrypted: isEncrypted)
        {
            throw Refusal(.forbidden, "pages of other sites may not store or remove files")
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
