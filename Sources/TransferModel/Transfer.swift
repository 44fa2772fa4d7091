// SPDX-License-Identifier: MIT

/// The public record of one transfer at one moment: an entry of the queue, a row of the store, an object on the wire.
/// It contains no secret.
///
/// Text from the network and file names is stored as received: each front end sanitizes it for its own medium.
package struct Transfer: Sendable, Hashable, Identifiable {
    package var id: TransferID
    package var kind: TransferKind
    /// The address without user information.
    package var url: String
    /// The local path: source of an upload, final name of a download (the best known until the server has named it);
    /// `-` for a stream.
    package var file: String
    package var status: TransferStatus
    package var progress = Progress()
    /// The number of the current or latest attempt, 1 for the first.
    package var attempt = 1
    /// The transfer's own limit in bytes per second; `nil`: unlimited.
    package var rateLimit: Int?
    /// The priority, 0…1. The highest starts first; `nil` means 0.5.
    package var priority: Double?
    /// The terms of adding it; `nil` if all have their defaults.
    @Boxed package var terms: TransferTerms?
    /// Seconds since 1970 when it was added.
    package var addedAt: Double = 0
    /// The position in the store's order; 0 if unknown.
    package var place: Int64 = 0
    @Boxed package var checkpoint: Checkpoint?

    package init(id: TransferID, kind: TransferKind, url: String, file: String, status: TransferStatus = .queued()) {
        self.id = id
        self.kind = kind
        self.url = url
        self.file = file
        self.status = status
    }

    /// The record of a queue from the moment it is added.
    /// - Parameter file: the local path, if more is known of it than ``Spec/file``.
    package init(
        _ spec: Spec, id: TransferID = TransferID(rawValue: 0), file: String? = nil,
        terms: TransferTerms = TransferTerms(),
        addedAt: Double
    ) {
        self.init(id: id, kind: spec.kind, url: spec.url.string, file: file ?? spec.file)
        if terms.paused { status = .paused(.by(.transfer)) }
        var kept = terms
        kept.paused = false
        self.terms = kept == TransferTerms() ? nil : kept
        priority = spec.options.priority == 0.5 ? nil : spec.options.priority
        rateLimit = spec.options.rateLimit
        self.addedAt = addedAt
    }

    /// Makes the record of `draft` with the ID and position that the store assigned.
    package init(_ draft: Transfer, id: TransferID, place: Int64) {
        self = draft
        (self.id, self.place) = (id, place)
    }

    /// How far it is.
    package struct Progress: Sendable, Hashable {
        /// Bytes of the file that moved, earlier attempts included; for an upload those the peer's kernel has
        /// acknowledged.
        package var bytes: Int64 = 0
        /// Size of the whole file, where known.
        package var total: Int64?
        /// Bytes that are safe: on this disk for a download, acknowledged by the server's response for an upload.
        package var confirmed: Int64?
        /// The status of the final response to the latest request of the attempt; `nil` while there is none.
        package var httpStatus: Int?
        /// State that only some uploads have.
        @Boxed var upload: Upload?

        package init() {}

        struct Upload: Sendable, Hashable, Codable {
            var protocolName: String?
            var location: String?
        }
    }

    /// Where redirects, or the address of an upload, led, if that has another origin (RFC 6454) than ``url``; known
    /// once an exchange has ended. Without user information and query.
    package var finalURL: String? {
        guard let metrics, metrics.redirects > 0 || uploadProtocol != nil, let last = metrics.transactions.last?.url,
            let place = try? TransferURL(last),
            let asked = try? TransferURL(url), place.origin != asked.origin
        else { return nil }
        return last
    }

    /// 0…1, or `nil` without a known total. An empty file counts as whole once it is completed.
    package var fraction: Double? {
        guard let total else { return nil }
        guard total > 0 else { return state == .completed ? 1 : 0 }
        return min(1, max(0, Double(bytes) / Double(total)))
    }
}

/// Properties that hold in every state.
extension Transfer {
    package var bytes: Int64 {
        get { progress.bytes }
        set { progress.bytes = newValue }
    }

    package var total: Int64? {
        get { progress.total }
        set { progress.total = newValue }
    }

    package var confirmed: Int64? {
        get { progress.confirmed }
        set { progress.confirmed = newValue }
    }

    package var httpStatus: Int? {
        get { progress.httpStatus }
        set { progress.httpStatus = newValue }
    }

    /// The protocol of a resumable upload, such as `ietf-8` or `tus-1.0.0`; `nil` for a plain one.
    package var uploadProtocol: String? {
        get { progress.upload?.protocolName }
        set { setUpload { $0.protocolName = newValue } }
    }

    /// Where the server says that an upload is, relative to its URL: known to the process that uploaded it.
    package var location: String? {
        get { progress.upload?.location }
        set { setUpload { $0.location = newValue } }
    }

    private mutating func setUpload(_ change: (inout Progress.Upload) -> Void) {
        var upload = progress.upload ?? Progress.Upload()
        change(&upload)
        if upload != progress.upload ?? Progress.Upload() { progress.upload = upload }
    }
}
