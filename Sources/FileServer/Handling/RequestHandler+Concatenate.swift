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
        do throws(Refusal) { named = try parts(urls) } catch {
            // The first request may have removed them since.
            if let earlier = joined(text) { return earlier }
            throw error
        }
        var leases: [(part: UploadEntry, lease: UploadAccess.Lease)] = []
        defer { for (part, lease) in leases { part.access.release(lease) } }
        // By ID, so that two requests never wait for each other. A part may be named twice.
        for part in named.sorted(by: { $0.id < $1.id }) where leases.last?.part !== part {
            guard let lease = await part.access.acquire(atMost: patience, end: {}) else {
                try Task.checkCancellation()
                throw Self.locked
            }
            leases.append((part, lease))
        }
        if let earlier = joined(text) { return earlier }
        return try await join(parts(urls), text, creation, in: folder)
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

    /// The path of an absolute or relative URL.
    private static func pathOfURL(_ url: String) -> String {
        url.beginsWithSlash || url.contains("://") ? url : "/" + url
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
            try await blocking { try self.copy(parts, to: entry, length: length) }
            _ = try await finish(entry)
        } catch {
            try await blocking { self.resumables.remove(entry) }
            throw (error as? FinalRefusal)?.refusal ?? error
        }
        try await blocking { for part in parts { self.resumables.remove(part) } }
        return Self.answer(joined: entry)
    }

    /// Blocks.
    private func copy(_ parts: [UploadEntry], to entry: UploadEntry, length: Int64) throws {
        let append = UploadResource.Append(offset: 0, length: nil, contentLength: length, end: .atLength)
        let writer = try UploadWriter(
            append, to: entry, expected: nil, quota: resumables.quota, now: UploadStore.now())
        for part in parts {
            let file = try OpenFile(part.folder.openRegular(part.id))
            var position: Int64 = 0
            while position < part.resource.offset {
                let end = min(part.resource.offset, position + 1_048_576)
                try writer.append([try file.read(position..<end)])
                position = end
            }
        }
        _ = try writer.end()
    }
}
