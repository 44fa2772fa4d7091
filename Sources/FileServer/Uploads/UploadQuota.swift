// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization

/// The number of unfinished uploads, and the bytes that they hold together: of a known length all of it, else what has
/// arrived. A part of a concatenation counts until it is joined.
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

    private let mostUploads: Int
    private let mostBytes: Int64?
    private let state = Mutex(State())

    /// - Parameter mostBytes: `nil`: any number.
    init(mostUploads: Int, mostBytes: Int64?) {
        self.mostUploads = mostUploads
        self.mostBytes = mostBytes
    }

    var uploads: Int { state.withLock { $0.held.count } }
    var bytes: Int128 { state.withLock { $0.total } }

    /// Counts an upload of an earlier process, whatever the limits.
    func restore(_ id: String, holding bytes: Int64) { state.withLock { $0.hold(bytes, id) } }

    /// Admits a new upload.
    /// - Parameters:
    ///   - bytes: what it will have, as far as that is known.
    ///   - parts: uploads that it joins, and that end with it: only bytes beyond theirs are added.
    /// - Throws: 503 or 507.
    func admit(_ id: String, holding bytes: Int64, joining parts: Set<String> = []) throws(Refusal) {
        try state.withLock { (state) throws(Refusal) in
            let credits = parts.compactMap { state.held[$0] }
            guard state.held.count - credits.count < mostUploads else {
                throw Refusal(
                    .serviceUnavailable, "the server has too many unfinished uploads", headers: [.retryAfter: "60"])
            }
            let added = Int128(bytes) - credits.reduce(Int128(0)) { $0 + Int128($1) }
            if added > 0 { try check(state.total + added, of: Int128(bytes)) }
            state.hold(Int64(clamping: max(0, added)), id)
        }
    }

    /// Reserves bytes of an upload before they are received; it holds `bytes` then, or more.
    /// - Throws: 507.
    func reserve(_ bytes: Int64, for id: String) throws(Refusal) {
        try state.withLock { (state) throws(Refusal) in
            // An upload that was removed meanwhile has no file to write to.
            guard let held = state.held[id], bytes > held else { return }
            try check(state.total - Int128(held) + Int128(bytes), of: Int128(bytes))
            state.hold(bytes, id)
        }
    }

    /// Between two requests: returns what was reserved and has not arrived.
    func correct(_ id: String, to bytes: Int64) {
        state.withLock { state in
            if state.held[id] != nil { state.hold(bytes, id) }
        }
    }

    /// The upload is finished or removed.
    func release(_ id: String) {
        state.withLock { state in
            state.hold(0, id)
            state.held[id] = nil
        }
    }

    /// - Parameter one: the bytes of the upload that is to be admitted, which `total` includes.
    private func check(_ total: Int128, of one: Int128) throws(Refusal) {
        guard let mostBytes, total > Int128(mostBytes) else { return }
        guard one <= Int128(mostBytes) else {
            throw Refusal(
                .insufficientStorage,
                "the upload is larger than the \(mostBytes) bytes that all unfinished resumable uploads may have; "
                    + "a plain PUT has no such limit")
        }
        throw Refusal(.insufficientStorage, "the quota for unfinished uploads is used up; try again later")
    }
}
