// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Uploads by tus 1.0.0: creation, also with content, expiration and termination.
extension Origin {
    func announceTus(_ head: inout HTTPResponse) {
        head.headerFields[.tusResumable] = Tus.version
        head.headerFields[.tusVersion] = Tus.version
        let more = draw(0...1) == 0 ? ",creation-with-upload" : ""
        head.headerFields[.tusExtension] = "creation,expiration,termination\(more)"
    }

    func createByTus(_ path: String, _ request: SimulatedExchange, _ isWhole: Bool) -> Response {
        let fields = request.exchange.fields
        guard fields[.tusResumable] == Tus.version, let length = fields[.uploadLength].flatMap({ Int($0) }) else {
            return Response(head: answer(.preconditionFailed))
        }
        if isWhole, meets(.busy) { return Response(head: answer(.serviceUnavailable)) }
        uploads.created += 1
        let place = "/r/\(uploads.created)"
        var resource = Uploads.Resource(path: path, length: length)
        trace.sometimes("upload: created by tus")
        if !request.sentBody.isEmpty { trace.sometimes("upload: created with content") }
        // The client may never learn that it is here.
        if !request.sentBody.isEmpty || length == 0 { uploads.mayRepeat.insert(path) }
        append(request, &resource, isWhole)
        if length == 0 { finish(&resource) }
        uploads.resources[place] = resource
        var head = answer(.created)
        head.headerFields[.location] = place
        if !request.sentBody.isEmpty { head.headerFields[.uploadOffset] = String(resource.bytes.count) }
        if draw(0...1) == 0 { head.headerFields[.uploadExpires] = HTTPDate.format(Int64(machine.wallNow) + 100_000) }
        return Response(head: head)
    }

    func aboutTus(
        _ place: String, _ known: Uploads.Resource, _ request: SimulatedExchange, _ isWhole: Bool
    ) -> Response {
        var resource = known
        let fields = request.exchange.fields
        guard fields[.tusResumable] == Tus.version else { return Response(head: answer(.preconditionFailed)) }
        if isWhole, meets(.busy, odds: 5) { return Response(head: answer(.serviceUnavailable)) }
        switch request.exchange.method {
        case .head:
            trace.sometimes("upload: queried by tus")
            var head = answer(.ok, at: resource)
            head.headerFields[.uploadLength] = String(resource.length ?? 0)
            head.headerFields[.cacheControl] = "no-store"
            return Response(head: head)
        case .delete:
            trace.sometimes("upload: removed by tus")
            uploads.mayRepeat.insert(resource.path)
            uploads.resources[place] = nil
            return Response(head: answer(.noContent))
        case .patch:
            if let refusal = refused(place, fields, &resource) { return Response(head: refusal) }
            append(request, &resource, isWhole)
            uploads.resources[place] = resource
            trace.sometimes("upload: appended by tus")
            // All of it may be stored by now.
            if isWhole, meets(.busy, odds: 5) { return Response(head: answer(.serviceUnavailable)) }
            return Response(head: answer(.noContent, at: resource))
        default: return Response(head: answer(.methodNotAllowed))
        }
    }

    /// What is wrong with an append.
    private func refused(_ place: String, _ fields: HTTPFields, _ resource: inout Uploads.Resource) -> HTTPResponse? {
        checkOffset(place, fields, resource)
        if takeLate(&resource) {
            if resource.bytes.count == resource.length { finish(&resource) }
            uploads.resources[place] = resource
            // Of the request that broke; it may still have the upload.
            if draw(0...1) == 0 { return answer(.init(code: 423)) }
        }
        let offset = fields[.uploadOffset].flatMap { Int($0) }
        guard offset != resource.bytes.count || resource.isComplete else { return nil }
        trace.sometimes("upload: refused offset by tus")
        // It need not say which one is right.
        return draw(0...1) == 0 ? answer(.conflict) : answer(.conflict, at: resource)
    }

    /// Keeps what has come of a request, and of a whole one all, or says how much it is.
    private func append(_ request: SimulatedExchange, _ resource: inout Uploads.Resource, _ isWhole: Bool) {
        let sent = request.sentBody
        guard !sent.isEmpty else { return }
        let isShort = !isWhole || meets(.shortAppend, odds: 4)
        let kept = isShort ? draw(0...sent.count) : sent.count
        resource.bytes += sent.prefix(kept)
        if !isWhole { keepLate(sent.dropFirst(kept), &resource) }
        if resource.bytes.count == resource.length { finish(&resource) }
    }

    private func finish(_ resource: inout Uploads.Resource) {
        resource.isComplete = true
        if uploads.storedByTus.contains(resource.path), !uploads.mayRepeat.contains(resource.path) {
            trace.violate("stored twice", "\(resource.path) was uploaded by tus twice")
        }
        uploads.storedByTus.insert(resource.path)
        store(resource)
    }

    private func answer(_ status: HTTPResponse.Status, at resource: Uploads.Resource? = nil) -> HTTPResponse {
        var head = HTTPResponse(status: status, headerFields: [.tusResumable: Tus.version])
        if let resource { head.headerFields[.uploadOffset] = String(resource.bytes.count) }
        return head
    }
}
