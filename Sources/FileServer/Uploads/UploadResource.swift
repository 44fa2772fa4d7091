// SPDX-License-Identifier: MIT

/// The state of a resumable upload, for the IETF draft and tus alike. A value without I/O: the caller writes the
/// bytes and keeps this in step.
struct UploadResource: Sendable, Equatable {
    enum Phase: String, Sendable, Codable {
        /// Accepts appends.
        case open
        /// The representation is stored under its name.
        case complete
        /// Deactivated: its bytes exceeded its length, the disk lost some, or the target refused the representation.
        case failed
    }

    /// The statements of an append about itself.
    struct Append: Sendable, Equatable {
        enum End: Sendable, Equatable {
            /// IETF: whether the content is the end of the representation.
            case stated(Bool)
            /// tus: the upload ends when the offset reaches the length.
            case atLength
        }

        var offset: Int64
        /// `Upload-Length`
        var length: Int64?
        /// `Content-Length`; `nil` for a chunked body, 0 without a body.
        var contentLength: Int64?
        var end: End
    }

    struct Limits: Sendable, Equatable {
        var maximumSize: Int64?
        var maximumAppend: Int64?
        var minimumAppend: Int64?
    }

    private(set) var phase = Phase.open
    /// Bytes that the server vouches for; never decreases.
    private(set) var offset: Int64
    private(set) var length: Int64?
    /// Bytes written; above ``offset`` only during an append that is verified at its end.
    private(set) var written: Int64
    private(set) var isTentative = false
    /// Seconds since 1970.
    var expires: Double
    let limits: Limits

    init(offset: Int64 = 0, length: Int64? = nil, phase: Phase = .open, expires: Double, limits: Limits) {
        self.offset = offset
        self.length = length
        self.phase = phase
        self.expires = expires
        self.limits = limits
        written = offset
    }

    /// Every byte is stored, as far as the length is known.
    var isWhole: Bool { offset == length }

    /// Before any other interaction.
    func checkActive(now: Double) throws(UploadFault) {
        guard phase != .failed else { throw .deactivated }
        guard now < expires else { throw .expired }
    }

    /// Accepts or rejects an append from its head, and records the length. Changes nothing if it throws.
    /// - Throws: `beyondLength` for content by the draft that is longer than the upload, which is its end.
    /// - Parameter isVerified: the bytes count only after ``end(_:)``.
    mutating func begin(_ append: Append, isVerified: Bool, now: Double) throws(UploadFault) {
        try checkActive(now: now)
        let matches = append.offset == offset
        guard phase == .open else {
            throw matches && append.contentLength == 0 ? .completed : .appendToCompleted(provided: append.offset)
        }
        guard matches else { throw .mismatchingOffset(expected: offset, provided: append.offset) }
        if append.end != .atLength, let length, let content = append.contentLength, content > length - offset {
            throw .beyondLength
        }
        length = try statedLength(of: append)
        isTentative = isVerified
        written = offset
    }

    /// The bytes that the upload has after an append, or will have at its end, as far as the request states them.
    func size(after append: Append) throws(UploadFault) -> Int64? {
        if let length = append.length { return length }
        guard let content = append.contentLength else { return nil }
        return try end(after: content)
    }

    private func end(after content: Int64) throws(UploadFault) -> Int64 {
        let (end, overflows) = offset.addingReportingOverflow(content)
        guard !overflows else { throw .tooLarge(limits.maximumSize) }
        return end
    }

    private func statedLength(of append: Append) throws(UploadFault) -> Int64? {
        var stated = length
        func state(_ value: Int64) throws(UploadFault) {
            guard stated == nil || stated == value, value >= offset else { throw .inconsistentLength }
            stated = value
        }
        if let length = append.length { try state(length) }
        if let content = append.contentLength {
            let end = try end(after: content)
            if append.end == .stated(true) { try state(end) }
            if let stated, end > stated { throw .inconsistentLength }
            try checkSize(end)
            if let most = limits.maximumAppend, content > most { throw .appendTooLarge(most) }
            if let least = limits.minimumAppend, content < least, append.end != .stated(true), end != stated {
                throw .appendTooSmall(least)
            }
        }
        if let stated { try checkSize(stated) }
        return stated
    }

    private func checkSize(_ size: Int64) throws(UploadFault) {
        if let most = limits.maximumSize, size > most { throw .tooLarge(most) }
    }

    /// Before `count` bytes are written. More than the length deactivates the upload, as the draft demands.
    mutating func admit(_ count: Int64) throws(UploadFault) {
        let end = written.clampedSum(count)
        guard length.map({ end <= $0 }) ?? true else {
            phase = .failed
            throw .beyondLength
        }
        if let most = limits.maximumSize, end > most {
            phase = .failed
            throw .tooLarge(most)
        }
    }

    /// After `count` bytes were written.
    mutating func wrote(_ count: Int64) {
        written += count
        if !isTentative { offset = written }
    }

    /// The content is complete, and matches its checksum if it has one.
    /// - Returns: whether the upload is.
    mutating func end(_ append: Append) throws(UploadFault) -> Bool {
        offset = written
        isTentative = false
        switch append.end {
        case .atLength: return isWhole
        case .stated(false): return false
        case .stated(true):
            guard length == nil || length == offset else { throw .inconsistentLength }
            length = offset
            return true
        }
    }

    /// The connection broke, or the checksum differs: unverified bytes are dropped.
    /// - Returns: the size to which the file must be truncated, if it is larger.
    mutating func abandon() -> Int64 {
        isTentative = false
        written = offset
        return offset
    }

    mutating func completed() {
        phase = .complete
        length = offset
    }

    mutating func deactivate() { phase = .failed }
}

/// Why a request to an upload is rejected.
enum UploadFault: Error, Equatable {
    case mismatchingOffset(expected: Int64, provided: Int64)
    case inconsistentLength
    /// The content is longer than the upload.
    case beyondLength
    /// An empty append at the end of a complete upload: a repeat of the last one.
    case completed
    case appendToCompleted(provided: Int64)
    case tooLarge(Int64?)
    case appendTooLarge(Int64)
    case appendTooSmall(Int64)
    case expired
    case deactivated
    /// The checksum of the content differs.
    case checksumMismatch
}
