// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// The order of requests that list one folder, and what their responses mean. No I/O.
///
/// An address is asked as browsers and programs ask, never blindly as a WebDAV server, which others answer with 405 and
/// bans: `GET`; with the slash of a folder, where one without it is no listing; then `OPTIONS`; `PROPFIND` where a
/// response has the field `DAV`.
package struct ListingRequests: Sendable {
    package struct Request: Sendable, Equatable {
        package var method = HTTPRequest.Method.get
        package var url: TransferURL
        package var fields: HTTPFields = [:]
        package var content: [UInt8]?

        package init(_ url: TransferURL) { self.url = url }
    }

    package struct Response: Sendable, Equatable {
        /// After redirects.
        package var url: TransferURL
        package var head: HTTPResponse
        /// Empty, unless ``ListingRequests/readsContent(of:)``.
        package var content: [UInt8]

        package init(_ url: TransferURL, _ head: HTTPResponse, _ content: [UInt8]) {
            (self.url, self.head, self.content) = (url, head, content)
        }

        fileprivate var isSuccess: Bool { head.status.kind == .successful }
        fileprivate var isWebDAV: Bool { head.headerFields[.dav] != nil }
        /// A query may name a folder, too.
        fileprivate var isOfFolder: Bool { url.path.endsWithSlash || url.target != url.path }
    }

    package enum Step: Sendable, Equatable {
        case send(Request)
        /// A page; `next` asks for the following one.
        case page(ListingPage, next: Request?)
        case end(End)
    }

    package enum End: Sendable, Equatable {
        /// A file, or a page of another kind.
        case notAListing
        /// The status is an error.
        case refused(Response)
    }

    /// How a folder is listed.
    package enum Form: Sendable, Equatable {
        case page
        case webDAV
        /// A bucket's URL is that of the folder.
        /// - Parameter isDeep: whether keys of the whole tree are listed.
        case store(prefix: String, isDeep: Bool)
    }

    private enum State: Sendable, Equatable {
        /// `isRetried`: with the slash of a folder.
        case page(isRetried: Bool)
        case options(else: Outcome)
        case properties(else: Outcome?)
        case store
    }

    /// What there is without further requests.
    private enum Outcome: Sendable, Equatable {
        case listing(ListingPage)
        case end(End)
    }

    /// The folder whose names the page has: after redirects, and with its slash.
    package private(set) var folder: TransferURL
    /// As learnt: those of the folders below begin with it.
    package private(set) var form: Form
    private var state: State
    /// Of the address without slash.
    private var earlier: End?

    package init(_ url: TransferURL, _ form: Form = .page) {
        (folder, self.form) = (url, form)
        state =
            switch form {
            case .page: .page(isRetried: false)
            case .webDAV: .properties(else: nil)
            case .store: .store
            }
    }

    /// The first request.
    package var first: Request {
        switch form {
        case .page: Self.page(folder)
        case .webDAV: Self.properties(folder)
        case .store(let prefix, let isDeep): store(prefix, isDeep, nil)
        }
    }

    /// Whether a response may be a listing or give a reason: the content of others, which may be large, is not read.
    package static func readsContent(of head: HTTPResponse) -> Bool {
        guard head.status.kind == .successful, head.status.code != 207 else { return true }
        return ["text/html", "application/xhtml+xml", "application/json", "application/xml", "text/xml"]
            .contains(mediaType(of: head))
    }

    private static func mediaType(of head: HTTPResponse) -> String {
        let type = head.headerFields[.contentType] ?? ""
        return type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    }

    /// What follows the response to the last request.
    package mutating func received(_ response: Response) -> Step {
        switch state {
        case .page(let isRetried): return receivedPage(response, isRetried: isRetried)
        case .options(let outcome):
            guard response.isSuccess, response.isWebDAV else { return conclude(outcome) }
            return askForProperties(else: outcome)
        case .properties(let outcome):
            if response.head.status.code == 207, let page = MultistatusListing.read(response.content, at: response.url)
            {
                (folder, form) = (Self.asFolder(response.url), .webDAV)
                return .page(page, next: nil)
            }
            return conclude(outcome ?? .end(response.isSuccess ? .notAListing : .refused(response)))
        case .store:
            guard case .store(let prefix, let isDeep) = form, response.isSuccess else {
                return .end(.refused(response))
            }
            guard let page = StoreListing.read(response.content, prefix: prefix) else { return .end(.notAListing) }
            return .page(page, next: page.next.map { store(prefix, isDeep, $0) })
        }
    }

    private mutating func receivedPage(_ response: Response, isRetried: Bool) -> Step {
        folder = response.url
        let page = response.isSuccess ? Self.read(response) : nil
        if let page, response.isOfFolder {
            folder = Self.replacing(response.url, target: String(response.url.path.throughLastSlash ?? "/"))
            return response.isWebDAV ? askForProperties(else: .listing(page)) : .page(page, next: nil)
        }
        let end = response.isSuccess ? End.notAListing : .refused(response)
        if response.isSuccess, !response.isOfFolder, !Self.readsContent(of: response.head) { return .end(end) }
        // Others do not mean that it is no folder.
        guard response.isSuccess || [400, 403, 404, 405, 415, 501].contains(response.head.status.code) else {
            return .end(end)
        }
        if !response.isOfFolder, !isRetried {
            (state, earlier) = (.page(isRetried: true), response.isSuccess ? end : nil)
            return .send(Self.page(Self.asFolder(response.url)))
        }
        let outcome = Outcome.end(earlier ?? end)
        if response.isWebDAV { return askForProperties(else: outcome) }
        state = .options(else: outcome)
        var request = Request(folder)
        request.method = .options
        return .send(request)
    }

    private static func read(_ response: Response) -> ListingPage? {
        switch mediaType(of: response.head) {
        case "application/json": JSONListing.read(response.content, at: response.url)
        case "text/html", "application/xhtml+xml": IndexPage.read(response.content, at: response.url)
        default: nil
        }
    }

    private mutating func askForProperties(else outcome: Outcome) -> Step {
        state = .properties(else: outcome)
        return .send(Self.properties(Self.asFolder(folder)))
    }

    private func conclude(_ outcome: Outcome) -> Step {
        switch outcome {
        case .listing(let page): .page(page, next: nil)
        case .end(let end): .end(end)
        }
    }

    // MARK: Requests

    private static func page(_ url: TransferURL) -> Request {
        var request = Request(url)
        request.fields[.accept] = "application/json, text/html;q=0.9"
        return request
    }

    /// Depth 1 alone: some refuse to walk a tree, others take minutes for it.
    private static func properties(_ url: TransferURL) -> Request {
        var request = Request(url)
        request.method = .propfind
        request.fields = [.depth: "1", .contentType: "application/xml; charset=utf-8"]
        request.content = Array(MultistatusListing.request.utf8)
        return request
    }

    private func store(_ prefix: String, _ isDeep: Bool, _ token: String?) -> Request {
        var query = "list-type=2&encoding-type=url&prefix=\(PercentCoding.encode(prefix))"
        if !isDeep { query += "&delimiter=%2F" }
        if let token { query += "&continuation-token=\(PercentCoding.encode(token))" }
        return Request(Self.replacing(folder, target: "\(folder.path)?\(query)"))
    }

    /// Without a query, and with a slash at the end.
    package static func asFolder(_ url: TransferURL) -> TransferURL {
        guard url.target != url.path || !url.path.endsWithSlash else { return url }
        return replacing(url, target: url.path.endsWithSlash ? url.path : url.path + "/")
    }

    private static func replacing(_ url: TransferURL, target: String) -> TransferURL {
        let server = String(decoding: url.string.utf8.dropLast(url.target.utf8.count), as: UTF8.self)
        // An address with another path and query, of characters that both allow, is one as well.
        return (try? TransferURL(server + target))?.replacingCredential(url.credential) ?? url
    }
}

extension HTTPRequest.Method {
    package static let propfind = Self("PROPFIND")!
}

extension HTTPField.Name {
    fileprivate static let dav = Self("DAV")!
    fileprivate static let depth = Self("Depth")!
}
