// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization

/// The number of unfinished uploads, and the bytes that they hold together: what has arrived, and during a request, or
/// before the first byte, as much of the rest of a known length as ``ahead``. A part of a
/// concatenation counts until it is joined.
final class UploadQuota: Sendable {
    private struct State {
        var held: [String: Int64] = [:]
        /// The sum of ``held``, which may have any size at the start.
        var total: Int128 = 0

        mutating func hold(_ bytes: Int64, _ id: String) {
            total += Int128(bytes) - Int128(held[id] ?? 0)
            held[id] = bytes
        }
    }

    /// Bytes of an upload that are reserved before they arrive.
    static let ahead: Int64 = 64 << 20

    private let mostUploads: Int
    private let mostBytes: Int64?
    private let ahead: Int64
    private let state = Mutex(State())

    /// - Parameter mostBytes: `nil`: any number.
    init(mostUploads: Int, mostBytes: Int64?, ahead: Int64 = UploadQuota.ahead) {
        self.mostUploads = mostUploads
        self.mostBytes = mostBytes
        self.ahead = ahead
    }

    /// The bytes that an upload of `length` reserves when `written` bytes have arrived.
    private func holding(_ length: Int64, _ written: Int64) -> Int64 {
        max(written, min(length, written.clampedSum(ahead)))
    }

    var uploads: Int { state.withLock { $0.held.count } }
    var bytes: Int128 { state.withLock { $0.total } }

    /// Counts an upload of an earlier process, whatever the limits.
    func restore(_ id: String, holding bytes: Int64) { state.withLock { $0.hold(bytes, id) } }

    /// Admits a new upload.
    /// - Parameters:
    ///   - length: what it will have, as far as that is known.
    ///   - parts: uploads that it joins, and that end with it: only bytes beyond theirs are added.
    /// - Throws: 503 or 507.
    func admit(_ id: String, of length: Int64, joining parts: Set<String> = []) throws(Refusal) {
        if parts.isEmpty { try checkLength(length) }
        let bytes = parts.isEmpty ? holding(length, 0) : length
        try state.withLock { (state) throws(Refusal) in
            let credits = parts.compactMap { state.held[$0] }
            guard state.held.count - credits.count < mostUploads else {
                throw Refusal(
                    .serviceUnavailable, "the server has too many unfinished uploads", headers: [.retryAfter: "60"])
            }
            let added = Int128(bytes) - credits.reduce(Int128(0)) { $0 + Int128($1) }
            if added > 0 {
                if !parts.isEmpty { try checkLength(length) }
                try check(state.total + added)
            }
            state.hold(Int64(clamping: max(0, added)), id)
        }
    }

    /// Before an append after which, or at whose end, the upload will have `length` bytes.
    /// - Throws: 507.
    func announce(_ length: Int64, after written: Int64, for id: String) throws(Refusal) {
        try checkLength(length)
        try reserve(holding(length, written), for: id)
    }

    /// Reserves bytes of an upload before they are received; it holds `bytes` then, or more.
    /// - Throws: 507.
    func reserve(_ bytes: Int64, for id: String) throws(Refusal) {
        try state.withLock { (state) throws(Refusal) in
            // An upload that was removed meanwhile has no file to write to.
            guard let held = state.held[id], bytes > held else { return }
            try check(state.total - Int128(held) + Int128(bytes))
            state.hold(bytes, id)
        }
    }

    /// Between two requests an upload holds what has arrived; the next append reserves the rest again. One of which
    /// nothing has arrived holds what its creation has reserved, or as much of it as others leave: it can be removed
    /// for others.
    /// - Parameter length: as far as it is known; else 0.
    func correct(_ id: String, to written: Int64, of length: Int64) {
        let wanted = written > 0 ? written : holding(length, 0)
        state.withLock { state in
            guard state.held[id] != nil else { return }
            state.hold(written, id)
            let free = mostBytes.map { Int128($0) - state.total } ?? Int128(Int64.max)
            let more = min(Int128(wanted - written), max(0, free))
            state.hold(written + Int64(clamping: more), id)
        }
    }

    /// The quota as it would be without some uploads; a copy.
    func without(_ ids: some Sequence<String>) -> UploadQuota {
        let copy = UploadQuota(mostUploads: mostUploads, mostBytes: mostBytes, ahead: ahead)
        let held = state.withLock { $0 }
        copy.state.withLock { $0 = held }
        for id in ids { copy.release(id) }
        return copy
    }

    /// Whether an upload may not have that many bytes, whatever others have.
    func excludes(_ length: Int64) -> Bool { mostBytes.map { length > $0 } ?? false }

    /// The upload is finished or removed.
    func release(_ id: String) {
        state.withLock { state in
            state.hold(0, id)
            state.held[id] = nil
        }
    }

    private func checkLength(_ length: Int64) throws(Refusal) {
        guard let mostBytes, length > mostBytes else { return }
        throw Refusal(
            .insufficientStorage,
            "the upload is larger than the \(mostBytes) bytes that all unfinished resumable uploads may have; "
                + "a plain PUT has no such limit")
    }

    private func check(_ total: Int128) throws(Refusal) {
        guard let mostBytes, total > Int128(mostBytes) else { return }
        throw Refusal(.insufficientStorage, "the quota for unfinished uploads is used up; try again later")
    }
}
