// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Creates the folders of a WebDAV server that a `PUT` needs (RFC 4918, section 9.3): from the file's own folder up to
/// one that exists, and down again. Pure.
struct FolderCreation: Equatable {
    /// How the upload was refused.
    struct Refusal: Equatable {
        var error: TransferError
        var status: Int
        var retryAfter: Double?
        var isAfterWholeBody: Bool
    }

    enum Step: Equatable {
        /// Request this folder.
        case make(TransferURL)
        /// The folders exist: send the file again.
        case finish
        /// The server creates no folders.
        case giveUp
    }

    let refusal: Refusal
    /// From the outermost to the file's own.
    private let folders: [TransferURL]
    private var index: Int
    private var isGoingDown: Bool
    /// The server created the file's own folder, and was asked for no other one. Some say so where one above it is
    /// missing, and the file finds none.
    private(set) var hasOnlyOwn = false

    /// For an error that a missing folder may explain.
    static func hint(at error: inout TransferError) {
        error.amendRefusal("; the folder may not exist on the server") { $0.mayLackFolder = true }
    }

    /// - Parameter isDownward: whether the outermost is requested first.
    /// - Returns: `nil` if the file is in the root.
    init?(for url: TransferURL, after refusal: Refusal, isDownward: Bool = false) {
        let folders = Self.folders(above: url)
        guard !folders.isEmpty else { return nil }
        self.folders = folders
        self.refusal = refusal
        isGoingDown = isDownward
        index = isDownward ? 0 : folders.count - 1
    }

    var first: Step { .make(folders[index]) }

    /// The response to the request of the last step.
    mutating func answered(_ status: Int) -> Step {
        switch status {
        case 200..<300:
            hasOnlyOwn = !isGoingDown && folders.count > 1 && index == folders.count - 1
            return down()
        // The folder exists (RFC 4918, section 9.3.1).
        case 405: return down()
        case 404 where !isGoingDown && index > 0, 409 where !isGoingDown && index > 0:
            index -= 1
            return .make(folders[index])
        // mod_dav refuses a folder that another request creates at the same moment; the file's own request decides.
        case 403: return down()
        case _ where isGoingDown: return down()
        default: return .giveUp
        }
    }

    /// Whether other files that need the folder take the response for theirs.
    static func isShared(_ status: Int) -> Bool { 200..<300 ~= status || [404, 405, 409].contains(status) }

    private mutating func down() -> Step {
        isGoingDown = true
        index += 1
        return index < folders.count ? .make(folders[index]) : .finish
    }

    private static func folders(above url: TransferURL) -> [TransferURL] {
        let names = url.path.pathParts.dropLast()
        var path = "/"
        return names.compactMap { name in
            path += "\(name)/"
            return (try? url.resolving(path))?.replacingCredential(url.credential)
        }
    }

    /// Whether a refusal with `status` may mean that a folder is missing: nginx responds 500, others 404 or 409.
    static func mayLackFolder(_ status: Int, _ description: Spec) -> Bool {
        guard [404, 409, 500].contains(status), case .upload(let upload) = description.operation, upload.form == .put,
            description.options.method ?? .put == .put
        else { return false }
        return !folders(above: description.url).isEmpty
    }
}

extension HTTPRequest.Method {
    static let mkcol = Self("MKCOL")!
}
