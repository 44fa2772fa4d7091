// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import Platform
import TransferModel

/// Links to files and folders: made with the server's token, used without it.
extension RequestHandler {
    /// Whether the request needs no token: the link is the credential, and its key the one for its end.
    static func usesLink(_ request: HTTPRequest) -> Bool {
        guard case .link? = try? RequestTarget(request.path ?? "") else { return false }
        return switch request.method {
        case .get, .head: true
        case .post: isForm(request)
        case .delete: query("key", of: request.path ?? "") != nil
        default: false
        }
    }

    static func isForm(_ request: HTTPRequest) -> Bool {
        request.method == .post && MediaType.essence(request.headerFields[.contentType]) == FormFields.type
    }

    /// `POST /files/share`
    func makeLink(_ request: HTTPRequest) async throws -> Answer {
        let asked: ShareRequest
        do throws(ShareRequest.Malformed) { asked = try ShareRequest(request.headerFields) } catch {
            throw Refusal(.badRequest, "\(error.field) is missing or malformed")
        }
        let path: [String]
        var isFolder = false
        switch try RequestTarget(asked.target) {
        case .plain(let components, let endsInSlash) where !components.isEmpty:
            (path, isFolder) = (components, endsInSlash)
        case .stored(let id, let name): path = try record(id: id, name: name).path
        default: throw Refusal(.badRequest, "Share-Target is not the path of a file or folder")
        }
        let status = try await blocking { [root, shares, isFolder] in
            guard shares.hasRoom(at: Date().timeIntervalSince1970) else { throw Self.tooManyLinks }
            do throws(SystemError) {
                return try isFolder
                    ? root.subfolder(path).descriptor.fileStatus() : root.openFile(path).status
            } catch { throw error.meansAbsent ? Refusal.notFound : error.refusal }
        }
        var password: SharePassword?
        if let text = asked.password { password = try await passwords.run { SharePassword(text) } }
        let (now, key) = (Date().timeIntervalSince1970, UniqueName.make())
        let share = Share(
            id: UniqueName.make(), path: path, name: path[path.count - 1] + (isFolder ? ".zip" : ""),
            size: isFolder ? 0 : status.size, entityTag: isFolder ? "" : status.entityTag, isFolder: isFolder,
            deleteKey: Secret.digest(key), expires: asked.lifetime.map { now + Double($0) },
            downloads: asked.downloads, password: password)
        return try await blocking { [shares] in
            guard try shares.add(share, at: now) else { throw Self.tooManyLinks }
            return try Answer(
                .created,
                headers: [
                    .location: "\(ShareRequest.path)/\(share.id)", .shareKey: key, .cacheControl: "no-store",
                ], json: ShareAnswer(share, deleteKey: key))
        }
    }

    private static let tooManyLinks = Refusal(.serviceUnavailable, "too many links")

    /// `GET`, `HEAD` and `DELETE` of `/files/share/ID` and `/files/share/ID/NAME`
    func useLink(_ id: String, name: String?, _ request: HTTPRequest, from network: String) async throws -> Answer {
        let now = Date().timeIntervalSince1970
        let share = try await find(id, name: name, at: now)
        let target = request.path ?? ""
        let key = Self.query("key", of: target)
        if request.method == .delete {
            guard key.map({ share.isRemoved(by: $0) }) ?? true else {
                throw Refusal(.forbidden, "that is not the key of this link")
            }
            return try await blocking { [shares] in
                shares.remove(id)
                return Answer(.noContent)
            }
        }
        let isPage = name == nil && LinkReader.wantsPage(of: share, request)
        let page = SharePage(share: share, language: PageLanguage(of: request), key: key)
        if isPage, share.password != nil, request.headerFields[.authorization] == nil { return page.locked() }
        let hasTicket = Self.query("ticket", of: target).map { sessions.accepts($0, for: id, at: now) } ?? false
        if !hasTicket { try await checkPassword(of: share, in: request.headerFields, from: network, at: now) }
        return isPage ? page.open(ticket: ticket(for: share, at: now)) : try await send(share, for: request, at: now)
    }

    private func find(_ id: String, name: String?, at now: Double) async throws -> Share {
        guard let share = try await blocking({ [shares] in shares.find(id, at: now) }),
            name.map({ $0.utf8.elementsEqual(share.name.utf8) }) ?? true
        else { throw Refusal(.notFound, "no such link") }
        return share
    }

    /// A form of the page of a link: its password, the start of a download, or the key that deletes it.
    func answer(
        _ form: FormFields, ofLink id: String, _ request: HTTPRequest, from network: String
    ) async throws -> Answer {
        let now = Date().timeIntervalSince1970
        let share = try await find(id, name: nil, at: now)
        let key = form["key"] ?? Self.query("key", of: request.path ?? "")
        let page = SharePage(share: share, language: PageLanguage(of: request), key: key)
        if form["delete"] != nil {
            guard let key, share.isRemoved(by: key) else {
                throw Refusal(.forbidden, "that is not the key of this link")
            }
            return try await blocking { [shares] in
                shares.remove(id)
                return page.removed()
            }
        }
        let ticket = form["ticket"] ?? ""
        guard share.password == nil || sessions.accepts(ticket, for: id, at: now) else {
            let isRight = try await isRight(form["password"], for: share, from: network, at: now)
            guard isRight else { return page.locked(becauseWrong: form["password"] != nil) }
            return page.open(ticket: self.ticket(for: share, at: now))
        }
        guard form["download"] != nil else { throw Refusal(.badRequest, "the form has no field of this page") }
        let name = PercentCoding.encode(share.name)
        return Answer(
            .seeOther,
            headers: [
                .location: "\(ShareRequest.path)/\(id)/\(name)" + (ticket.isEmpty ? "" : "?ticket=\(ticket)"),
                .cacheControl: "no-store",
            ], text: "see the file")
    }

    /// As long as a download may continue.
    private func ticket(for share: Share, at now: Double) -> String? {
        share.password.map { _ in sessions.ticket(for: share.id, until: Int64(now + ShareDownload.lifetime)) }
    }

    private func checkPassword(
        of share: Share, in fields: HTTPFields, from network: String, at now: Double
    ) async throws {
        guard try await isRight(Self.password(of: fields), for: share, from: network, at: now) else {
            throw Refusal(
                .unauthorized, "this link requires a password; any user name is accepted",
                headers: [.wwwAuthenticate: "Basic realm=\"link\", charset=\"UTF-8\""])
        }
    }

    /// - Throws: 429 for a network that guesses.
    private func isRight(
        _ password: String?, for share: Share, from network: String, at now: Double
    ) async throws -> Bool {
        if let known = shares.verdict(on: password, of: share) { return known }
        guard let password else { return false }
        try await guesses.takeTurn(of: network, on: share.id, at: now)
        let isRight = try await passwords.run { [shares] in shares.check(password, of: share) }
        if isRight {
            guesses.wasRight(network, on: share.id)
        } else {
            // Each attempt takes its time.
            try await Task.sleep(for: .milliseconds(500))
        }
        return isRight
    }

    private func send(_ share: Share, for request: HTTPRequest, at now: Double) async throws -> Answer {
        var answer =
            share.isFolder
            ? try await zip(share.path, for: request) : try await read(share.path, for: request, as: nil)
        guard share.isFolder || answer.headers[.eTag] == share.entityTag else {
            throw Refusal(.gone, "the file has changed since it was shared")
        }
        answer.headers[.contentDisposition] = ContentDisposition(fileName: share.name).description
        answer.headers[.cacheControl] = "private, no-cache"
        answer.headers[.vary] = "Accept"
        guard request.method != .head, case .file(_, let range, _) = answer.body else { return answer }
        // The archive of a folder has no parts: each request is a download.
        let counted = share.isFolder ? 0..<0 : range
        let (shares, id) = (shares, share.id)
        switch try await blocking({ try shares.reserve(counted, of: id, at: now) }) {
        case .granted(let charge): answer.charge = charge
        case .later:
            // The server may not have noticed yet that the connection before this one broke.
            throw Refusal(
                .serviceUnavailable, "another connection is still downloading this; try again",
                headers: [.retryAfter: "5"])
        case .usedUp: throw Refusal(.gone, "this link has been used as often as it may be")
        }
        return answer
    }

    /// The password of Basic authentication (RFC 7617), whatever the user name.
    static func password(of fields: HTTPFields) -> String? {
        let words = (fields[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(words[1])),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return String(text[text.index(after: colon)...])
    }
}

/// The response to a new link.
struct ShareAnswer: Codable {
    var location: String
    var name: String
    var size: Int64
    /// Seconds since 1970.
    var expires: Double?
    var downloads: Int64?
    var hasPassword: Bool
    /// As `Share-Key`.
    var deleteKey: String

    init(_ share: Share, deleteKey: String) {
        self.deleteKey = deleteKey
        (location, name, size) = ("\(ShareRequest.path)/\(share.id)", share.name, share.size)
        (expires, downloads, hasPassword) = (share.expires, share.downloads, share.password != nil)
    }
}
