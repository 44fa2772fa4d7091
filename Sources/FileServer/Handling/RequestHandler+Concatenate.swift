// SPDX-License-Identifier: MIT

import HTTPTypes
import Platform
import TransferModel

extension RequestHandler {
    /// tus: joins complete parts, and places the result. Requests with the same parts follow each other, so that a
    /// repeat gets the response of the first one.
    func concatenate(_ urls: [String], _ creation: UploadCreation, in folder: [String]?) async throws -> Answer {
        let text = Tus.Concatenation.final(urls).description
        if let earlier = joined(text) { return earlier }
        let named: [UploadEntry]
        // A part named twice would make more bytes than were sent.
        do throws(Refusal) { named = try distinct(parts(urls)) } catch {
            // The first request may have removed them since.
            if let earlier = joined(text) { return earlier }
            throw error
        }
        var leases: [(part: UploadEntry, lease: UploadAccess.Lease)] = []
        defer { for (part, lease) in leases { part.access.release(lease) } }
        // By ID, so that two requests never wait for each other.
        for part in named.sorted(by: { $0.id < $1.id }) {
            guard let lease = await part.access.acquire(atMost: patience, end: {}) else {
                try Task.checkCancellation()
                throw Self.locked
            }
            leases.append((part, lease))
        }
        if let earlier = joined(text) { return earlier }
        // With the leases: a repeat waits for them, and takes no turn of others.
        return try await joins.run(atMost: patience) { try await join(parts(urls), text, creation, in: folder) }
    }

    /// The response to a repeat; its parts are gone.
    private func joined(_ concatenation: String) -> Answer? {
        resumables.first { state, phase in state.tusConcat == concatenation && phase == .complete }
            .map(Self.answer(joined:))
    }

    private static func answer(joined entry: UploadEntry) -> Answer {
        let size = String(entry.resource.offset)
        return Answer(.created, headers: [.location: entry.path, .uploadOffset: size, .uploadLength: size])
    }

    private func parts(_ urls: [String]) throws(Refusal) -> [UploadEntry] {
        try urls.map { url throws(Refusal) in
            guard case .upload(let id)? = try? RequestTarget(Self.pathOfURL(url)), let part = resumables[id],
                part.state.target == .none
            else { throw Refusal(.badRequest, "a part of the concatenation does not exist") }
            guard part.resource.phase == .complete else {
                throw Refusal(.badRequest, "a part of the concatenation is incomplete")
            }
            return part
        }
    }

    private func distinct(_ parts: [UploadEntry]) throws(Refusal) -> [UploadEntry] {
        guard Set(parts.map(\.id)).count == parts.count else {
            throw Refusal(.badRequest, "a part of the concatenation is named twice")
        }
        return parts
    }

    /// The path of an absolute or relative URL, without what a proxy has in front of it.
    private static func pathOfURL(_ url: String) -> String {
        if let own = url.ranges(of: "/files/").last { return String(url[own.lowerBound...]) }
        return url.beginsWithSlash || url.contains("://") ? url : "/" + url
    }

    /// Only for the holder of leases on all parts.
    private func join(
        _ parts: [UploadEntry], _ text: String, _ creation: UploadCreation, in folder: [String]?
    ) async throws -> Answer {
        let length = parts.reduce(Int64(0)) { $0.clampedSum($1.resource.offset) }
        if let most = configuration.limits.uploadBytes, length > most { throw Self.tooLarge(most) }
        var creation = creation
        let (target, stored) = try await placement(&creation, in: folder)
        let (conditions, metadata) = (creation.conditions, creation.tusMetadata)
        let entry = try await blocking {
            try self.checkSize(length)
            return try self.resumables.create(
                target: target, name: stored.name, isTus: true, length: length, reserving: length,
                joining: Set(parts.map(\.id))
            ) { state in
                state.metadata = stored.metadata
                state.tusMetadata = metadata
                state.tusConcat = text
                state.conditions = conditions
            }
        }
        guard let lease = entry.access.acquireIfFree() else { throw Self.locked }
        defer { entry.access.release(lease) }
        do {
            try await copy(parts, to: entry, length: length)
            _ = try await finish(entry)
        } catch {
            try await blocking { self.resumables.remove(entry) }
            throw (error as? FinalRefusal)?.refusal ?? error
        }
        try await blocking { for part in parts { self.resumables.remove(part) } }
        return Self.answer(joined: entry)
    }

    /// In steps, between which the pool does other work. It continues after the client has left: a repeat gets the
    /// response.
    private func copy(_ parts: [UploadEntry], to entry: UploadEntry, length: Int64) async throws {
        let append = UploadResource.Append(offset: 0, length: nil, contentLength: length, end: .atLength)
        let writer = try await blocking {
            try UploadWriter(append, to: entry, expected: nil, quota: nil, now: UploadStore.now())
        }
        for part in parts {
            let size = part.resource.offset
            let file = try await blocking { try OpenFile(part.folder.openRegular(part.id)) }
            var position: Int64 = 0
            while position < size {
                try Task.checkCancellation()
                let step = position..<min(size, position + Self.joinStep)
                try await blocking { try writer.append([try file.read(step)]) }
                position = step.upperBound
            }
        }
        _ = try await blocking { try writer.end() }
    }

    private static let joinStep: Int64 = 1 << 20
}
