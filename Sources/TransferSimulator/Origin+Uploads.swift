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

        /// Of the IETF draft, or tus.
        struct Resource {
            var path: String
            /// Of tus: of all.
            var length: Int?
            var bytes: [UInt8] = []
            /// What has come of a request that broke, and is written before the next one.
            var late: ArraySlice<UInt8> = []
            var isComplete = false
            /// What a response that arrived has stated to the client.
            var confirmed = 0
        }

        /// By path, oldest first.
        var stored: [String: [Stored]] = [:]
        var resources: [String: Resource] = [:]
        /// Resources so far.
        var created = 0
        /// Paths to which an upload by tus was completed.
        var storedByTus: Set<String> = []
        /// Of these, those to which another one may be: the server has forgotten the upload, the client must have, or
        /// the user wanted it.
        var mayRepeat: Set<String> = []

        mutating func forgetAll() { mayRepeat.formUnion(storedByTus.union(resources.values.map(\.path))) }

        mutating func forget(_ paths: Set<String>) {
            for path in paths { stored[path] = nil }
            resources = resources.filter { !paths.contains($0.value.path) }
            (storedByTus, mayRepeat) = (storedByTus.subtracting(paths), mayRepeat.subtracting(paths))
        }

        /// The keys under which something was stored there.
        func keys(at path: String) -> Set<String> { Set(stored[path]?.compactMap(\.key) ?? []) }
        func holds(_ bytes: [UInt8], at path: String) -> Bool { stored[path]?.last?.bytes == bytes }
    }

    /// A request with a body, or about an upload; as far as it came.
    @discardableResult
    func received(_ request: SimulatedExchange, isWhole: Bool) -> Response {
        let (path, fields) = (request.exchange.url.path, request.exchange.fields)
        if let refusal = refusal(of: request.exchange) { return Response(head: refusal) }
        if let resource = uploads.resources[path] { return about(path, resource, request, isWhole) }
        if path.hasPrefix("/r/") { return Response(head: HTTPResponse(status: .notFound)) }
        switch request.exchange.method {
        case .options:
            var head = HTTPResponse(status: .noContent)
            if path.hasPrefix("/ietf") || path.hasPrefix("/tus") {
                head.headerFields[.uploadLimit] = "min-size=0, max-age=100000"
                announceTus(&head)
            }
            return Response(head: head)
        case .put, .post:
            if path.hasPrefix("/tus") { return createByTus(path, request, isWhole) }
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
        if resource.isComplete { store(resource) }
        return Response(head: head)
    }

    private func state(of resource: Uploads.Resource) -> HTTPResponse {
        var head = HTTPResponse(status: .noContent)
        head.headerFields[.uploadInterop] = "8"
        head.headerFields[.uploadOffset] = String(resource.bytes.count)
        head.headerFields[.uploadComplete] = resource.isComplete ? "?1" : "?0"
        return head
    }

    func store(_ resource: Uploads.Resource) {
        trace.sometimes("upload: resumable stored")
        trace.note(machine.now, "server: stores \(resource.path), \(resource.bytes.count) bytes")
        uploads.stored[resource.path, default: []].append(.init(bytes: resource.bytes, key: nil))
    }

    private func about(
        _ place: String, _ known: Uploads.Resource, _ request: SimulatedExchange, _ isWhole: Bool
    ) -> Response {
        if isWhole, request.exchange.method != .delete, meets(.expiredUpload, odds: 8) { return expire(place, known) }
        if known.length != nil { return aboutTus(place, known, request, isWhole) }
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
            checkOffset(place, fields, resource)
            if takeLate(&resource) { uploads.resources[place] = resource }
            let offset = fields[.uploadOffset].flatMap { Int($0) } ?? -1
            guard offset == resource.bytes.count, !resource.isComplete else {
                var head = state(of: resource)
                head.status = .conflict
                return Response(head: head)
            }
            // Of a broken request, any part may have arrived.
            let kept = isWhole ? request.sentBody.count : draw(0...request.sentBody.count)
            resource.bytes += request.sentBody.prefix(kept)
            if !isWhole { keepLate(request.sentBody.dropFirst(kept), &resource) }
            resource.isComplete = isWhole && fields[.uploadComplete] == "?1"
            uploads.resources[place] = resource
            trace.sometimes("upload: appended")
            var head = state(of: resource)
            if resource.isComplete {
                store(resource)
                head.status = .created
            }
            return Response(head: head)
        default: return Response(head: HTTPResponse(status: .methodNotAllowed))
        }
    }

    func checkOffset(_ place: String, _ fields: HTTPFields, _ resource: Uploads.Resource) {
        let offset = fields[.uploadOffset].flatMap { Int($0) } ?? -1
        guard offset < resource.confirmed, !resource.isComplete else { return }
        trace.violate("confirmed bytes sent again", "\(place) from \(offset), \(resource.confirmed) were confirmed")
    }

    /// The server no longer has the upload, complete or not.
    private func expire(_ place: String, _ resource: Uploads.Resource) -> Response {
        trace.note(machine.now, "server: forgets \(place) of \(resource.path)")
        uploads.mayRepeat.insert(resource.path)
        uploads.resources[place] = nil
        return Response(head: HTTPResponse(status: draw(0...1) == 0 ? .notFound : .gone))
    }

    /// What has come of a request that broke is written some time after it, unless that is never.
    func keepLate(_ bytes: ArraySlice<UInt8>, _ resource: inout Uploads.Resource) {
        guard !bytes.isEmpty, meets(.lateAppend, odds: 1) else { return }
        resource.late = bytes.prefix(draw(1...bytes.count))
    }

    /// - Returns: whether the upload has other bytes than the last response says.
    func takeLate(_ resource: inout Uploads.Resource) -> Bool {
        guard !resource.late.isEmpty else { return false }
        resource.bytes += resource.late
        resource.late = []
        return true
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
