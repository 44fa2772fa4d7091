// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import Platform
import TransferModel

/// Links to files: made with the server's token, used without it.
extension RequestHandler {
    /// Whether the request needs no token: the link is the credential.
    static func usesLink(_ request: HTTPRequest) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        guard case .link? = try? RequestTarget(request.path ?? "") else { return false }
        return true
    }

    /// `POST /files/share`
    func makeLink(_ request: HTTPRequest) async throws -> Answer {
        let asked: ShareRequest
        do throws(ShareRequest.Malformed) { asked = try ShareRequest(request.headerFields) } catch {
            throw Refusal(.badRequest, "\(error.field) is missing or malformed")
        }
        let path: [String]
        switch try RequestTarget(asked.target) {
        case .plain(let components, isFolder: false): path = components
        case .stored(let id, let name): path = try record(id: id, name: name).path
        default: throw Refusal(.badRequest, "Share-Target is not the path of a file")
        }
        let (root, shares) = (root, shares)
        let status = try await blocking {
            guard shares.hasRoom(at: Date().timeIntervalSince1970) else { throw Self.tooManyLinks }
            do throws(SystemError) { return try root.openFile(path).status } catch {
                throw error.meansAbsent ? Refusal.notFound : error.refusal
            }
        }
        var password: SharePassword?
        if let text = asked.password { password = try await passwords.run { SharePassword(text) } }
        let stored = password
        return try await blocking {
            let now = Date().timeIntervalSince1970
            let share = Share(
                id: UniqueName.make(), path: path, name: path[path.count - 1], size: status.size,
                entityTag: status.entityTag, expires: asked.lifetime.map { now + Double($0) },
                downloads: asked.downloads, password: stored)
            guard try shares.add(share, at: now) else { throw Self.tooManyLinks }
            return try Answer(
                .created, headers: [.location: "\(ShareRequest.path)/\(share.id)", .cacheControl: "no-store"],
                json: ShareAnswer(share))
        }
    }

    private static let tooManyLinks = Refusal(.serviceUnavailable, "too many links")

    /// `GET`, `HEAD` and `DELETE` of `/files/share/ID` and `/files/share/ID/NAME`
    func useLink(_ id: String, name: String?, _ request: HTTPRequest, from network: String) async throws -> Answer {
        let now = Date().timeIntervalSince1970
        let shares = shares
        guard let share = try await blocking({ shares.find(id, at: now) }),
            name.map({ $0.utf8.elementsEqual(share.name.utf8) }) ?? true
        else { throw Refusal(.notFound, "no such link") }
        if request.method == .delete {
            return try await blocking {
                shares.remove(id)
                return Answer(.noContent)
            }
        }
        try await checkPassword(of: share, in: request.headerFields, from: network, at: now)
        if name == nil, Page.isPreferred(by: request) {
            return SharePage(share: share, language: PageLanguage(of: request)).answer()
        }
        return try await send(share, for: request, at: now)
    }

    private func checkPassword(
        of share: Share, in fields: HTTPFields, from network: String, at now: Double
    ) async throws {
        let shares = shares
        let password = Self.password(of: fields)
        var isRight = shares.verdict(on: password, of: share)
        if isRight == nil, let password {
            try await guesses.takeTurn(of: network, on: share.id, at: now)
            isRight = try await passwords.run { shares.check(password, of: share) }
            if isRight == true {
                guesses.wasRight(network, on: share.id)
            } else {
                // Each attempt takes its time.
                try await Task.sleep(for: .milliseconds(500))
            }
        }
        guard isRight == true else {
            throw Refusal(
                .unauthorized, "this link requires a password; any user name is accepted",
                headers: [.wwwAuthenticate: "Basic realm=\"link\", charset=\"UTF-8\""])
        }
    }

    private func send(_ share: Share, for request: HTTPRequest, at now: Double) async throws -> Answer {
        var answer = try await read(share.path, for: request, as: nil)
        guard answer.headers[.eTag] == share.entityTag else {
            throw Refusal(.gone, "the file has changed since it was shared")
        }
        answer.headers[.contentDisposition] = ContentDisposition(fileName: share.name).description
        answer.headers[.cacheControl] = "private, no-cache"
        answer.headers[.vary] = "Accept"
        guard request.method != .head, case .file(_, let range, _) = answer.body else { return answer }
        let (shares, id) = (shares, share.id)
        switch try await blocking({ try shares.reserve(range, of: id, at: now) }) {
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

    init(_ share: Share) {
        (location, name, size) = ("\(ShareRequest.path)/\(share.id)", share.name, share.size)
        (expires, downloads, hasPassword) = (share.expires, share.downloads, share.password != nil)
    }
}
