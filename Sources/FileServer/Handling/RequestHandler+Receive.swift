// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import NIOCore
import Platform
import TransferModel

extension RequestHandler {
    /// Bytes collected before one write on the thread pool.
    static let batchBytes = 512 * 1024
    /// The memory of a chunk, however few bytes it has.
    static let smallestBufferBytes = 2048

    /// Receives a body, verifies it, and renames it into place. On any error nothing remains.
    func receive(_ reception: Reception, from body: inout IncomingBody, watch: ProgressWatch) async throws -> Answer {
        let (work, algorithms) = (work, reception.algorithms)
        let partial = try await blocking {
            try PartialFile(in: work.partial, name: UniqueName.make(), hashing: algorithms)
        }
        do {
            try await fill(partial, isHashed: !algorithms.isEmpty, from: &body, watch: watch)
            return try await place(partial, reception)
        } catch {
            try await blocking { partial.discard() }
            throw error
        }
    }

    private func fill(
        _ partial: PartialFile, isHashed: Bool, from body: inout IncomingBody, watch: ProgressWatch
    ) async throws {
        var pace = Pace(rate: configuration.rate)
        let most = configuration.rate == nil ? Self.batchBytes : pace.chunk
        var piece = budget.take(atMost: most)
        defer { budget.give(piece) }
        var batch: [ByteBuffer] = []
        var batched = 0
        var isOpen = true
        while isOpen {
            watch.expect(.incoming)
            let buffer = try await body.next()
            watch.progress(buffer?.readableBytes ?? 0)
            watch.expect(nil)
            if let buffer {
                if let most = configuration.limits.uploadBytes, body.received > most { throw Self.tooLarge(most) }
                batched += max(buffer.readableBytes, Self.smallestBufferBytes)
                batch.append(buffer)
                try await wait(pace.delay(after: buffer.readableBytes, now: .now()))
            } else {
                isOpen = false
            }
            guard !batch.isEmpty, batched >= piece || !isOpen else { continue }
            let full = batch
            try await write(isHashed: isHashed) { try partial.append(full) }
            batch.removeAll(keepingCapacity: true)
            batched = 0
            budget.give(piece)
            piece = budget.take(atMost: most)
        }
    }

    func receiveForm(from body: inout IncomingBody, watch: ProgressWatch) async throws -> FormFields {
        var bytes: [UInt8] = []
        watch.expect(.incoming)
        defer { watch.expect(nil) }
        while let buffer = try await body.next() {
            watch.progress(buffer.readableBytes)
            bytes += buffer.readableBytesView
            guard bytes.count <= FormFields.mostBytes else {
                throw Refusal(.contentTooLarge, "the form has more than \(FormFields.mostBytes) bytes")
            }
        }
        return FormFields(String(decoding: bytes, as: UTF8.self))
    }

    private func place(_ partial: PartialFile, _ reception: Reception) async throws -> Answer {
        let size = partial.size
        if let expected = reception.expectedSize, expected != size {
            throw Refusal(.badRequest, "\(size) bytes received, \(expected) declared")
        }
        let digests = partial.digests()
        if let other = reception.expected.first(where: { !digests.contains($0) }) { throw Self.mismatch(other) }
        let digest = digests.first
        switch reception.purpose {
        case .put(let components):
            return try await blocking { try self.placePlain(partial, at: components, reception.conditions, digest) }
        case .fileQ(let upload):
            return try await blocking { try self.placeUpload(partial, upload, digest: digest) }
        }
    }

    /// The state of a reception besides its file.
    func end(_ reception: Reception) {
        if case .fileQ(let upload) = reception.purpose, let key = upload.key { uploads.release(key) }
    }

    /// Rejects what cannot be stored before reading a byte.
    func checkSize(_ announced: Int64?) throws {
        guard let announced else { return }
        if let most = configuration.limits.uploadBytes, announced > most { throw Self.tooLarge(most) }
        var found = statvfs()
        guard fstatvfs(work.partial.descriptor.number, &found) == 0 else { return }
        let free = Int64(clamping: UInt64(found.f_bavail) &* UInt64(found.f_frsize))
        guard announced <= free else { throw SystemError("declared size", errno: ENOSPC).refusal }
    }

    static func mismatch(_ expected: Checksum) -> Refusal {
        Refusal(.unprocessableContent, "the \(expected.algorithm.name) of the received bytes does not match")
    }

    static func tooLarge(_ most: Int64) -> Refusal {
        Refusal(.contentTooLarge, "the upload is larger than the \(most) bytes this server accepts")
    }

    static func announcedLength(_ request: HTTPRequest) -> Int64? {
        (try? RequestFraming(request.headerFields))?.length
    }
}
