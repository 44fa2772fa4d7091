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
        // An earlier attempt has renamed the file, and could not make that durable.
        if case .placing(let outcome) = state.phase, try isRenamed(entry) {
            try syncFolder(of: entry, state)
            return try complete(entry, outcome, keepingBytes: true)
        }
        if state.target == .none {
            return try complete(entry, .init(status: 204), keepingBytes: true)
        }
        let digests = try Self.digests(of: entry)
        if let other = state.expected.first(where: { !digests.contains($0) }) {
            try deactivate(entry)
            throw FinalRefusal(refusal: Self.mismatch(other))
        }
        let digest = digests.first
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
                // The next attempt finds its name.
                if try isRenamed(entry) { throw error }
                entry.update { $0.state.phase = .open }
                try entry.persist()
                throw error
            }
            try deactivate(entry)
            throw FinalRefusal(refusal: refusal)
        }
    }

    /// Blocks.
    private func isRenamed(_ entry: UploadEntry) throws(SystemError) -> Bool {
        try entry.folder.statusIfPresent(entry.id) == nil
    }

    /// Blocks.
    private func syncFolder(of entry: UploadEntry, _ state: UploadState) throws(SystemError) {
        guard configuration.syncs else { return }
        switch state.target {
        case .path(let components): try root.subfolder(components.dropLast()).sync()
        case .stored, .none: try root.subfolder(["files", entry.id]).sync()
        }
    }

    /// The result that a restart reports if the server is killed after the rename.
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
            content.hashers = []
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
            content.hashers = []
        }
        try? work.uploads.remove(entry.id)
        resumables.recount(entry)
        try entry.persist()
    }

    /// Reads the file if the server was restarted since the upload began. Blocks.
    private static func digests(of entry: UploadEntry) throws -> [Checksum] {
        let size = entry.resource.offset
        var hashers = entry.state.algorithms.map { ContentHasher($0) }
        guard !hashers.isEmpty else { return [] }
        let ready = entry.update { content in
            content.hashed == size && !content.hashers.isEmpty ? content.hashers.map(\.checksum) : nil
        }
        if let ready { return ready }
        let file = try OpenFile(entry.folder.openRegular(entry.id))
        var position: Int64 = 0
        while position < size {
            let end = min(size, position + 1_048_576)
            try file.read(position..<end).withUnsafeReadableBytes { bytes in
                for index in hashers.indices { hashers[index].update(bytes) }
            }
            position = end
        }
        return hashers.map(\.checksum)
    }
}
