// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import TransferModel

/// Decides by a response's head whether to accept it for a download, and determines the final name.
final class DownloadAdmission: Sendable {
    private let destination: Download.Destination
    private let overwrites: Bool
    private let existing: ExistingFile
    private let hasChecksum: Bool
    /// The file is the response to what is sent.
    private let sendsBody: Bool
    /// Of the whole file.
    private let size: Int64?
    private let documents: MetalinkUse
    private let spared: Mutex<DownloadRun.Unfetched?> = Mutex(nil)
    private let document = Mutex(false)
    private let url: TransferURL
    private let named: Mutex<String?>
    /// The name that the server or the address proposes, of a download that keeps both files.
    private let wanted: Mutex<String?> = Mutex(nil)
    /// No response changes the name.
    private let isNamed: Bool
    /// The stored or incoming version, if that has a strong validator.
    private let known = Mutex<Version?>(nil)
    /// The origins that are asked, before redirects, and that sent the stored bytes.
    private let asked = Mutex<Set<String>>([])
    private let id: TransferID
    private let claims: NameClaims
    /// Below this size it is cheaper to let the rename at the end detect an existing file.
    static let smallBody: Int64 = 65_536

    /// - Parameters:
    ///   - documents: what a response that is a Metalink document means.
    ///   - name: that of the document that describes the file, in place of what servers propose.
    init(
        _ description: Download, url: TransferURL, id: TransferID, claims: NameClaims,
        documents: MetalinkUse = .saves, name: String? = nil
    ) {
        self.id = id
        self.claims = claims
        destination = description.destination
        overwrites = description.overwrites
        existing = description.existing
        (hasChecksum, size) = (description.checksum != nil, description.size)
        sendsBody = description.body != nil
        self.url = url
        self.documents = documents
        isNamed = name != nil
        named = Mutex(Self.path(destination, name))
    }

    /// The best known final path; `nil` for a stream.
    var path: String? { named.withLock { $0 } }

    /// Why a response was refused that need not be downloaded.
    var unfetched: DownloadRun.Unfetched? { spared.withLock { $0 } }

    /// The response was refused since it describes the file.
    var isDocument: Bool { document.withLock { $0 } }

    /// The path of the partial file: beside the name known from the start, so that another run finds it.
    static func partialPath(_ destination: Download.Destination) -> String? {
        firstPath(destination).map { PartialName.path(for: $0) }
    }

    static func firstPath(_ destination: Download.Destination) -> String? {
        switch destination {
        case .file(let path): path
        case .folder(let folder, let name): join(folder, name)
        case .stream: nil
        }
    }

    /// Called on the transport's thread; makes a few quick calls of the file system, with
    /// ``TransferModel/ExistingFile/keepsBoth`` one for each name that is taken.
    /// - Parameter responder: the address that responded, after redirects.
    func evaluate(_ head: HTTPResponse, from responder: TransferURL) -> DownloadTarget.Admission {
        if let error = HTTPStatusError.make(head, from: url) ?? noFile(head) ?? describes(head)
            ?? portal(head, responder) ?? doubt(head) ?? otherSize(head)
        {
            return .refuse(error)
        }
        if !head.isPart {
            let condition = Validator(head.headerFields).ifRange
            known.withLock { $0 = condition.map { Version(type: head.mediaType, condition: $0, bytes: 0) } }
        }
        if !isNamed, case .folder(let folder, _) = destination, let name = head.headerFields.proposedFileName {
            named.withLock { $0 = Self.join(folder, Self.fitting(name, in: folder)) }
        }
        guard let path else { return .accept }
        if existing == .keepsBoth, !overwrites, let free = claimFree(path) {
            wanted.withLock { $0 = path }
            named.withLock { $0 = free }
            return .accept
        }
        guard case .folder = destination else { return admit(path, head) }
        guard claims.claim(path, for: id) else {
            return .refuse(TransferError(.cannotWrite, file: .nameInUse, path: path, variant: .nameInUse))
        }
        let length = head.headerFields.first(.contentLength).flatMap { Int64($0) } ?? .max
        if !head.isPart, length < Self.smallBody, existing == .fails { return .accept }
        return admit(path, head)
    }

    /// `path`, or the next name beside it that no file and no other transfer has.
    private func claimFree(_ path: String) -> String? {
        func claim(_ path: String) -> Bool { !Self.exists(path) && claims.claim(path, for: id) }
        if claim(path) { return path }
        // A command that names the file has counted already.
        let isCounted = if case .file = destination { true } else { false }
        return Self.names(beside: path, isCounted: isCounted).first(where: claim)
    }

    /// The names to take in place of `path`, in this order.
    /// - Parameter isCounted: whether a number in it may be that of such a name.
    static func names(beside path: String, isCounted: Bool) -> some Sequence<String> {
        let (folder, name) = (path.throughLastSlash.map(String.init) ?? "", String(path.afterLastSlash))
        var (base, first) = (name, NumberedName.numbers.lowerBound)
        let next = NumberedName.next(name)
        // The number in `2026-11-27.log` counts nothing.
        if isCounted, exists(folder + next.name) || exists(PartialName.path(for: folder + next.name)) {
            (base, first) = next
        }
        let stem = base
        return (first...NumberedName.numbers.upperBound).lazy.map { folder + NumberedName.make(stem, $0) }
    }

    /// The next free name of a download that keeps both files, in place of a claimed one that has been taken since.
    func claimOtherName() -> String? {
        guard existing == .keepsBoth, !overwrites, let taken = path, let base = wanted.withLock({ $0 }),
            let free = claimFree(base)
        else { return nil }
        named.withLock { $0 = free }
        if free != taken { claims.release(taken, by: id) }
        return free
    }

    /// A server's name, as its folder takes it. Some file systems refuse it only when a file is to have it.
    private static func fitting(_ name: String, in folder: String) -> String {
        var name = name
        for _ in 0..<2 {
            var status = stat()
            guard name.utf8.count > SafeFileName.leastMaximumBytes || SafeFileName.hasWindowsReserved(name),
                lstat(join(folder, name), &status) != 0, let next = accepted(inPlaceOf: name, in: folder, after: errno)
            else { break }
            name = next
        }
        return name
    }

    /// In place of a name that `folder` does not take; `nil` if that is not for its characters or its length. Quick,
    /// for its file system has just responded.
    static func accepted(inPlaceOf name: String, in folder: String, after code: Int32?) -> String? {
        let most = code == ENAMETOOLONG ? pathconf(folder.isEmpty ? "." : folder, Int32(_PC_NAME_MAX)) : -1
        return SafeFileName.accepted(
            inPlaceOf: name, after: code, maximumBytes: most > 0 ? most : SafeFileName.leastMaximumBytes)
    }

    /// In place of a claimed name that the file could not be given for its characters or its length. Makes no call of
    /// the file system.
    func claimAcceptedName(after code: Int32?) -> String? {
        guard case .folder = destination, let refused = path,
            let name = SafeFileName.accepted(
                inPlaceOf: String(refused.afterLastSlash), after: code, maximumBytes: SafeFileName.leastMaximumBytes)
        else { return nil }
        let next = (refused.throughLastSlash.map(String.init) ?? "") + name
        guard claims.claim(next, for: id) else { return nil }
        named.withLock { $0 = next }
        wanted.withLock { $0 = next }
        claims.release(refused, by: id)
        return next
    }

    private func admit(_ path: String, _ head: HTTPResponse) -> DownloadTarget.Admission {
        if overwrites { return Self.isFolder(path) ? .refuse(Self.folderError(path)) : .accept }
        guard Self.exists(path) else { return .accept }
        let version = ExistingFileVersion(path)
        switch existing {
        case .skips where version != nil: spared.withLock { $0 = .exists }
        case .updates where version != nil:
            guard !hasChecksum, version?.isCurrent(against: head) == true else { return .accept }
            spared.withLock { $0 = .notModified }
        case .fails, .skips, .updates, .keepsBoth: break
        }
        return .refuse(Self.existsError(path))
    }

    /// - Parameters:
    ///   - point: where it resumes; `nil`: at the first byte.
    ///   - address: is asked, unless that of the point has the rest.
    func began(at point: ResumePoint?, from address: TransferURL) {
        known.withLock {
            $0 = point.map { Version(type: $0.contentType, condition: $0.validator.ifRange, bytes: $0.offset) }
        }
        asked.withLock { $0 = Set([address.origin] + (point?.address.map { [$0.origin] } ?? [])) }
    }

    /// Successful statuses whose body, if any, is not the file (RFC 9110, section 15.3). What a `POST` has created may
    /// be in the response to it.
    private func noFile(_ head: HTTPResponse) -> TransferError? {
        guard [201, 202, 204, 205].contains(head.status.code) else { return nil }
        if head.status.code == 201, sendsBody, head.headerFields.first(.contentLength) != "0" { return nil }
        let isPending = head.status.code == 202
        return TransferError(
            .httpStatus, .noFile, TextLine.first(of: head.status.reasonPhrase), host: url.authority,
            fields: .init(status: head.status.code, variant: isPending ? .fileNotReady : .doubtfulAddress))
    }

    /// A Metalink document in place of the file.
    private func describes(_ head: HTTPResponse) -> TransferError? {
        guard documents != .saves, head.status.code == 200, head.mediaType == Metalink.mediaType else { return nil }
        if documents == .follows { document.withLock { $0 = true } }
        return TransferError(.httpStatus, .metalink, host: url.authority, fields: .init(variant: .metalink))
    }

    /// The file of another size is another file.
    private func otherSize(_ head: HTTPResponse) -> TransferError? {
        guard let size, head.contentCoding == nil else { return nil }
        let found = head.isPart ? head.contentRange?.total : head.status.code == 200 ? Self.length(head) : nil
        guard let found, found != size else { return nil }
        return TransferError(ContentMismatch(.size, found: "\(found)", expected: "\(size)"), host: url.authority)
    }

    private struct Version {
        /// The media type.
        var type: String?
        /// See ``TransferModel/Validator/ifRange``.
        var condition: String?
        /// How many of it are stored.
        var bytes: Int64
    }

    private static func length(_ head: HTTPResponse) -> Int64? {
        head.headerFields.first(.contentLength).flatMap { Int64($0) }
    }

    /// A page in place of the rest of a file of another type: a network that wants a login redirects what it can read,
    /// to a server of its own.
    private func portal(_ head: HTTPResponse, _ responder: TransferURL) -> TransferError? {
        guard !url.isSecure, !asked.withLock({ $0.contains(responder.origin) }), head.status.code == 200,
            !head.isPart, head.mediaType == "text/html",
            let known = known.withLock({ $0 }), known.type.map({ $0 != "text/html" }) == true,
            known.condition == nil || known.condition != Validator(head.headerFields).ifRange
        else { return nil }
        var error = TransferError(.httpStatus, .portalPage, host: url.authority)
        error.notePortal(responder, for: url)
        return error
    }

    /// For example a login page, or nothing, in place of the rest of a file: it does not replace the stored bytes.
    private func doubt(_ head: HTTPResponse) -> TransferError? {
        guard !head.isPart, let known = known.withLock({ $0 }), let problem = Self.doubt(head, known) else {
            return nil
        }
        return TransferError(
            .httpStatus, problem, host: url.authority,
            fields: .init(path: path.map { PartialName.path(for: $0) }, variant: .otherMediaType))
    }

    private static func doubt(_ head: HTTPResponse, _ known: Version) -> TransferProblem? {
        guard Validator(head.headerFields).ifRange == nil else { return nil }
        if let found = head.mediaType, let expected = known.type, found != expected {
            return .init(.otherMediaType, TextLine.first(of: found), TextLine.first(of: expected))
        }
        let isTyped = head.mediaType != nil && known.type != nil
        guard let length = length(head), length == 0 || !isTyped && length < known.bytes else { return nil }
        return .init(.doubtfulBody, length)
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// A folder is never replaced: better known before the body than after.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func folderError(_ path: String) -> TransferError {
        TransferError(.cannotWrite, file: .write, path: path, systemErrno: EISDIR)
    }

    static func existsError(_ path: String) -> TransferError {
        TransferError(.cannotWrite, file: .exists, path: path, systemErrno: EEXIST)
    }

    /// As ``firstPath(_:)``, with `name` in a folder.
    private static func path(_ destination: Download.Destination, _ name: String?) -> String? {
        if let name, case .folder(let folder, _) = destination { return join(folder, name) }
        return firstPath(destination)
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty || folder == "." ? name : folder.endsWithSlash ? folder + name : "\(folder)/\(name)"
    }
}

/// What a response that is a Metalink document means for a download.
enum MetalinkUse: Sendable {
    /// It is the file.
    case saves
    /// It describes the file.
    case follows
    /// It is not the file that another document describes.
    case refuses
}

extension Spec {
    /// The path of a download's partial file; `nil` for a stream and for an upload.
    var partialPath: String? {
        guard case .download(let download) = operation else { return nil }
        return DownloadAdmission.partialPath(download.destination)
    }
}

/// Which transfer of a queue has which final name: two responses may propose the same one.
final class NameClaims: Sendable {
    private let keepsCompleted: Bool
    private let owners = Mutex<[String: TransferID]>([:])

    /// - Parameter keepsCompleted: see ``EnginePolicy/keepsNamesOfCompleted``.
    init(keepsCompleted: Bool) { self.keepsCompleted = keepsCompleted }

    /// - Returns: false if another transfer has the name.
    func claim(_ path: String, for id: TransferID) -> Bool {
        owners.withLock { owners in
            if let owner = owners[path] { return owner == id }
            owners[path] = id
            return true
        }
    }

    /// A transfer that ended without its file releases the name.
    func release(_ path: String, by id: TransferID) {
        owners.withLock { if $0[path] == id { $0[path] = nil } }
    }

    /// A transfer has given its file the name.
    func complete(_ path: String, by id: TransferID) { if !keepsCompleted { release(path, by: id) } }
}
