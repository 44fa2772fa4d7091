// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// What the servers have received.
extension Origin {
    struct Uploads {
        struct Stored {
            var bytes: [UInt8]
            /// Of a FileQ upload.
            var key: String?
        }

        /// Of the IETF draft.
        struct Resource {
            var path: String
            var bytes: [UInt8] = []
            var isComplete = false
            /// What a response that arrived has stated to the client.
            var confirmed = 0
        }

        /// By path, oldest first.
        var stored: [String: [Stored]] = [:]
        var resources: [String: Resource] = [:]
        /// Resources so far.
        var created = 0

        /// The keys under which something was stored there.
        func keys(at path: String) -> Set<String> { Set(stored[path]?.compactMap(\.key) ?? []) }
        func holds(_ bytes: [UInt8], at path: String) -> Bool { stored[path]?.last?.bytes == bytes }
    }

    /// A request with a body, or about an upload; as far as it came.
    @discardableResult
    func received(_ request: SimulatedExchange, isWhole: Bool) -> Response {
        let (path, fields) = (request.exchange.url.path, request.exchange.fields)
        if let resource = uploads.resources[path] { return about(path, resource, request, isWhole) }
        if path.hasPrefix("/r/") { return Response(head: HTTPResponse(status: .notFound)) }
        switch request.exchange.method {
        case .options:
            var head = HTTPResponse(status: .noContent)
            if path.hasPrefix("/ietf") { head.headerFields[.uploadLimit] = "min-size=0, max-age=100000" }
            return Response(head: head)
        case .put, .post:
            if fields[.uploadComplete] != nil { return create(path, request, isWhole) }
            guard isWhole else { return Response(head: HTTPResponse(status: .badRequest)) }
            return store(path, request)
        default: return Response(head: HTTPResponse(status: .methodNotAllowed))
        }
    }

    private func store(_ path: String, _ request: SimulatedExchange) -> Response {
        if meets(.busy) { return Response(head: HTTPResponse(status: .serviceUnavailable)) }
        var key = request.exchange.fields[values: .cookie].lazy.compactMap { try? FileQCookies(parsing: $0).upload }
            .first
        if request.transport.bug == .keyPerAttempt, let sent = key { key = "\(sent) \(request.id.rawValue)" }
        if request.exchange.method == .post, key == nil { return Response(head: HTTPResponse(status: .badRequest)) }
        var head = HTTPResponse(status: .created)
        head.headerFields[.location] = "/stored/\(path.dropFirst())"
        head.headerFields[.contentLength] = "0"
        if let key, uploads.keys(at: path).contains(key) {
            trace.sometimes("upload: key repeated")
            head.status = .ok
            return Response(head: head)
        }
        trace.sometimes(key == nil ? "upload: put" : "upload: fileq")
        trace.note(machine.now, "server: stores \(path), \(request.sentBody.count) bytes")
        uploads.stored[path, default: []].append(.init(bytes: request.sentBody, key: key))
        if uploads.keys(at: path).count > 1 {
            trace.violate("stored twice", "\(path) was stored under \(uploads.keys(at: path).count) keys")
        }
        if meets(.busy) { return Response(head: HTTPResponse(status: .serviceUnavailable)) }
        return Response(head: head)
    }

    // MARK: Resumable uploads

    private func create(_ path: String, _ request: SimulatedExchange, _ isWhole: Bool) -> Response {
        uploads.created += 1
        let place = "/r/\(uploads.created)"
        var resource = Uploads.Resource(path: path)
        resource.bytes = request.sentBody
        resource.isComplete = isWhole && request.exchange.fields[.uploadComplete] == "?1"
        uploads.resources[place] = resource
        trace.sometimes("upload: created")
        var head = state(of: resource)
        head.status = .created
        head.headerFields[.location] = place
        if resource.isComplete { finish(resource) }
        return Response(head: head)
    }

    private func state(of resource: Uploads.Resource) -> HTTPResponse {
        var head = HTTPResponse(status: .noContent)
        head.headerFields[.uploadInterop] = "8"
        head.headerFields[.uploadOffset] = String(resource.bytes.count)
        head.headerFields[.uploadComplete] = resource.isComplete ? "?1" : "?0"
        return head
    }

    private func finish(_ resource: Uploads.Resource) {
        trace.sometimes("upload: resumable stored")
        trace.note(machine.now, "server: stores \(resource.path), \(resource.bytes.count) bytes")
        uploads.stored[resource.path, default: []].append(.init(bytes: resource.bytes, key: nil))
    }

    private func about(
        _ place: String, _ known: Uploads.Resource, _ request: SimulatedExchange, _ isWhole: Bool
    ) -> Response {
        var resource = known
        let fields = request.exchange.fields
        switch request.exchange.method {
        case .head:
            trace.sometimes("upload: queried")
            return Response(head: state(of: resource))
        case .delete:
            uploads.resources[place] = nil
            return Response(head: HTTPResponse(status: .noContent))
        case .patch:
            let offset = fields[.uploadOffset].flatMap { Int($0) } ?? -1
            if offset < resource.confirmed, !resource.isComplete {
                trace.violate(
                    "confirmed bytes sent again", "\(place) from \(offset), \(resource.confirmed) were confirmed")
            }
            guard offset == resource.bytes.count, !resource.isComplete else {
                var head = state(of: resource)
                head.status = .conflict
                return Response(head: head)
            }
            // Of a broken request, any part may have arrived.
            let kept = isWhole ? request.sentBody.count : draw(0...request.sentBody.count)
            resource.bytes += request.sentBody.prefix(kept)
            resource.isComplete = isWhole && fields[.uploadComplete] == "?1"
            uploads.resources[place] = resource
            trace.sometimes("upload: appended")
            var head = state(of: resource)
            if resource.isComplete {
                finish(resource)
                head.status = .created
            }
            return Response(head: head)
        default: return Response(head: HTTPResponse(status: .methodNotAllowed))
        }
    }

    /// The client has received this response.
    func delivered(_ head: HTTPResponse, to request: Exchange) {
        let place = head.headerFields[.location] ?? request.url.path
        guard head.status.kind == .successful, let offset = head.headerFields[.uploadOffset].flatMap({ Int($0) }),
            let resource = uploads.resources[place]
        else { return }
        uploads.resources[place]?.confirmed = max(resource.confirmed, offset)
    }
}
