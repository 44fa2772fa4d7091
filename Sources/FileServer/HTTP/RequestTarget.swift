// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The parsed target of a request.
enum RequestTarget: Equatable {
    /// `OPTIONS *`
    case server
    /// `/session`
    case session
    /// `/upload`
    case fileQ
    /// `/files`
    case listing
    /// `/files/share`: where links are made.
    case share
    /// `/files/share/ID`, and the same with the name of its file.
    case link(id: String, name: String?)
    /// `/files/ID`: a resumable upload.
    case upload(id: String)
    /// `/files/ID/NAME`
    case stored(id: String, name: String)
    /// Anything else: a validated path below the root. `isFolder`: it ended in `/`.
    case plain([String], isFolder: Bool)

    /// The server's own folder, directly below the root. Never served, never reachable by a path; neither are those of
    /// other servers further below.
    static let workFolderName = ".fileq-server"
    static let maximumBytes = 8192
    static let maximumDepth = 64

    /// - Parameter deletes: whether plain files may be deleted.
    func allowedMethods(deletes: Bool) -> [HTTPRequest.Method] {
        switch self {
        case .server: [.get, .head, .put, .post, .patch, .delete, .options]
        case .session, .fileQ: [.post, .options]
        case .listing: [.get, .head, .post, .options]
        case .share: [.post, .options]
        case .link(_, let name): [.get, .head, .delete] + (name == nil ? [.post] : []) + [.options]
        case .upload: [.get, .head, .patch, .delete, .options]
        case .stored: [.get, .head, .delete, .options]
        case .plain(_, let isFolder):
            (isFolder ? [.get, .head, .post, .mkcol] : [.get, .head, .put]) + (deletes ? [.delete] : []) + [.options]
        }
    }

    /// Whether a resumable upload can begin here.
    var acceptsUploads: Bool {
        switch self {
        case .server, .fileQ, .listing, .plain: true
        case .session, .upload, .stored, .share, .link: false
        }
    }

    /// - Throws: 400 for a target that the file system could interpret differently, 404 for the work folder, 414 for
    ///   one that is too long.
    init(_ target: String) throws(Refusal) {
        if target == "*" {
            self = .server
            return
        }
        guard target.utf8.count <= Self.maximumBytes else {
            throw Refusal(.uriTooLong, "the request target is too long")
        }
        let components = try Self.components(of: Self.path(of: target))
        let isFolder = components.last?.isEmpty ?? true
        let names = components.last?.isEmpty == true ? components.dropLast() : components[...]
        switch (names.first, names.count) {
        case ("session", 1): self = .session
        case ("upload", 1): self = .fileQ
        case ("files", 1): self = .listing
        case ("files", 2) where UniqueName.isOne(names[1]) && !isFolder: self = .upload(id: names[1])
        case ("files", 2) where names[1] == "share" && !isFolder: self = .share
        case ("files", 3...4) where names[1] == "share" && UniqueName.isOne(names[2]) && !isFolder:
            self = .link(id: names[2], name: names.count == 4 ? names[3] : nil)
        case ("files", 3) where !isFolder && names[1] != "share": self = .stored(id: names[1], name: names[2])
        case ("session", _), ("upload", _), ("files", _): throw .notFound
        default:
            guard !names.contains(where: Self.isWorkFolder) else { throw .notFound }
            self = .plain(Array(names), isFolder: isFolder)
        }
    }

    /// Also by another spelling that a file system without case takes for the same name: it folds `ſ` and `ﬁ`, too, and
    /// may ignore invisible characters.
    static func isWorkFolder(_ name: String) -> Bool {
        guard name.utf8.count >= workFolderName.utf8.count else { return false }
        if name == workFolderName { return true }
        let visible = name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return String(String.UnicodeScalarView(visible)).uppercased() == workFolderName.uppercased()
    }

    /// A target in absolute form, which every server must accept (RFC 9112, section 3.2.2): its host and port, and the
    /// same target in origin form. `nil` for all other forms.
    static func absoluteForm(_ target: String) -> (authority: String, origin: String)? {
        guard target.utf8.first != UInt8(ascii: "/") else { return nil }
        for scheme in ["http://", "https://"] where target.prefix(scheme.count).lowercased() == scheme {
            let rest = target.dropFirst(scheme.count)
            let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            let origin = String(rest[end...])
            return (String(rest[..<end]), origin.beginsWithSlash ? origin : "/" + origin)
        }
        return nil
    }

    private static func path(of target: String) throws(Refusal) -> Substring {
        let path = (absoluteForm(target)?.origin ?? target).prefix { $0 != "?" }
        guard path.utf8.first == UInt8(ascii: "/") else { throw Refusal(.badRequest, "the path must begin with /") }
        return path
    }

    /// Decoded; the last is empty if the path ends in `/`.
    private static func components(of path: Substring) throws(Refusal) -> [String] {
        // On bytes: a slash followed by a combining mark is a slash to the file system.
        let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.count <= maximumDepth else { throw Refusal(.badRequest, "the path has too many components") }
        var components: [String] = []
        for (index, segment) in segments.enumerated() {
            guard let text = String(segment), let name = PercentCoding.decode(text) else {
                throw Refusal(.badRequest, "the path is not percent-encoded UTF-8")
            }
            guard isAcceptable(name) || name.isEmpty && index == segments.count - 1 else {
                throw Refusal(.badRequest, "the path has a component that is not allowed")
            }
            components.append(name)
        }
        return components
    }

    private static func isAcceptable(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                // The replacement character stands for invalid UTF-8 in the request line.
                case 0x202A...0x202E, 0x2066...0x2069, 0xFFFD: false
                default: scalar.properties.generalCategory != .control
                }
            }
    }
}

extension HTTPRequest.Method {
    static let mkcol = HTTPRequest.Method("MKCOL")!
}
