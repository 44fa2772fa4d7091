// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import HTTPTypes
import Logging
import NIOCore
import Platform
import TransferModel

extension RequestHandler {
    /// The target refuses the representation: its bytes are gone.
    struct FinalRefusal: Error {
        var refusal: Refusal
    }

    /// Verifies a complete upload and renames it into place. Only for the holder of the lease.
    /// - Throws: ``FinalRefusal``; other errors leave the upload open, so that the client can try again.
    func finish(_ entry: UploadEntry) async throws -> UploadState.Outcome {
        guard let key = entry.state.key else { return try await blocking { try self.place(entry) } }
        if let answer = try await claim(key) {
            // Stored by another upload of the same UUID.
            return try await blocking { try self.complete(entry, Self.outcome(answer), keepingBytes: false) }
        }
        defer { uploads.release(key) }
        return try await blocking { try self.place(entry) }
    }

    /// Blocks.
    private func place(_ entry: UploadEntry) throws -> UploadState.Outcome {
        let state = entry.state
        let size = entry.resource.offset
        if state.target == .none {
            return try complete(entry, .init(status: 204), keepingBytes: true)
        }
        let digest = state.needsDigest ? try Self.digest(of: entry) : nil
        if let expected = state.expected, expected != digest {
            try deactivate(entry)
            throw FinalRefusal(
                refusal: Refusal(.unprocessableContent, "the sha256 of the received bytes does not match"))
        }
        let partial = try PartialFile(resumable: entry.id, in: work.uploads, size: size)
        do {
            try partial.publish(umask: umask)
            try partial.complete(modified: state.modified, syncing: configuration.syncs)
            let tag = try partial.status().entityTag
            entry.update { content in
                content.state.phase = .placing(Self.expectedOutcome(entry, state, tag, digest))
            }
            try entry.persist()
            let answer: Answer
            switch state.target {
            case .path(let components):
                answer = try placePlain(partial, at: components, state.preconditions, digest)
            case .stored, .none:
                let upload = StoredUpload(
                    id: entry.id, name: state.name, key: state.key, modified: state.modified,
                    metadata: state.metadata)
                answer = try placeUpload(partial, upload, digest: digest)
            }
            return try complete(entry, Self.outcome(answer), keepingBytes: true)
        } catch {
            // What the operator can repair leaves the bytes for another attempt.
            guard let refusal = error as? Refusal, refusal.status.code < 500 else {
                entry.update { $0.state.phase = .open }
                try entry.persist()
                throw error
            }
            try deactivate(entry)
            throw FinalRefusal(refusal: refusal)
        }
    }

    /// What a restart after the rename reports, should the server be killed in between.
    private static func expectedOutcome(
        _ entry: UploadEntry, _ state: UploadState, _ entityTag: String, _ digest: Checksum?
    ) -> UploadState.Outcome {
        let path: [String] =
            switch state.target {
            case .path(let components): components
            case .stored, .none: ["files", entry.id, state.name]
            }
        return .init(
            status: 201, location: "/" + path.map { PercentCoding.encode($0) }.joined(separator: "/"),
            entityTag: entityTag, reprDigest: digest.map { ReprDigest($0).description })
    }

    private static func outcome(_ answer: Answer) -> UploadState.Outcome {
        .init(
            status: answer.status.code, location: answer.headers[.location], entityTag: answer.headers[.eTag],
            reprDigest: answer.headers[.reprDigest])
    }

    /// Blocks.
    private func complete(
        _ entry: UploadEntry, _ outcome: UploadState.Outcome, keepingBytes: Bool
    ) throws
        -> UploadState.Outcome
    {
        entry.update { content in
            content.state.phase = .complete(outcome)
            content.resource.completed()
            content.hasher = nil
        }
        resumables.recount(entry)
        resumables.extend(entry)
        if !keepingBytes { try? work.uploads.remove(entry.id) }
        // The file has its name: a failure here only means that a restarted server finds it out again.
        do { try entry.persist() } catch {
            configuration.logger.warning("cannot record a finished upload: \(error)")
        }
        return outcome
    }

    /// Rejects further interaction, and removes the bytes. Blocks.
    func deactivate(_ entry: UploadEntry) throws {
        entry.update { content in
            content.state.phase = .failed
            content.resource.deactivate()
            content.hasher = nil
        }
        try? work.uploads.remove(entry.id)
        resumables.recount(entry)
        try entry.persist()
    }

    /// SHA-256; reads the file if the server was restarted since the upload began. Blocks.
    private static func digest(of entry: UploadEntry) throws -> Checksum {
        let size = entry.resource.offset
        if let ready = entry.update({ content in content.hashed == size ? content.hasher?.checksum : nil }) {
            return ready
        }
        let file = try OpenFile(entry.folder.openRegular(entry.id))
        var hasher = ContentHasher(.sha256)
        var position: Int64 = 0
        while position < size {
            let end = min(size, position + 1_048_576)
            try file.read(position..<end).withUnsafeReadableBytes { hasher.update($0) }
            position = end
        }
        return hasher.checksum
    }

    /// tus: joins complete parts, and places the result.
    func concatenate(_ urls: [String], _ creation: UploadCreation, in folder: [String]?) async throws -> Answer {
        let text = creation.concatenation?.description
        if let earlier = resumables.first(where: { state, phase in state.tusConcat == text && phase == .complete }) {
            // A repeat: its parts are gone.
            return Answer(.created, headers: [.location: earlier.path])
        }
        let parts = try urls.map { url throws(Refusal) in
            guard case .upload(let id)? = try? RequestTarget(Self.pathOfURL(url)), let part = resumables[id],
                part.state.target == .none
            else { throw Refusal(.badRequest, "a part of the concatenation does not exist") }
            guard part.resource.phase == .complete else {
                throw Refusal(.badRequest, "a part of the concatenation is incomplete")
            }
            return part
        }
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
        return Answer(
            .created, headers: [.location: entry.path, .uploadOffset: String(length), .uploadLength: String(length)])
    }

    /// The path of an absolute or relative URL.
    private static func pathOfURL(_ url: String) -> String {
        url.beginsWithSlash || url.contains("://") ? url : "/" + url
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
