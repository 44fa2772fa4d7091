// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// The destination of a download task, and the responses that it accepts.
public struct DownloadTarget: Sendable {
    public enum Place: Sendable {
        /// A new file in the session's temporary folder, deleted when the listener has returned from
        /// `finishedDownload`.
        case temporary
        /// A file that stays at every end.
        case partial(PartialFile)
        /// Bytes in order to a descriptor without seeking, which the caller closes.
        case stream(descriptor: Int32)
    }

    /// The decision about a response, made from its head.
    public enum Admission: Sendable, Hashable {
        case accept
        /// The body is not stored and the task completes with this error.
        case refuse(TransferError)
    }

    public var place: Place
    /// Makes the calls on the file, ``replacement`` and ``admit`` among them, if its file system may hang.
    package var lane: (any FileLane)?
    /// Where to resume. For a stream: what was written before counts as `offset`.
    public var resume: ResumePoint?
    /// The validator of an existing copy. If that is still current, the task completes with the 304 as its response,
    /// and nothing is stored.
    public var copy: Validator?
    /// The request body. A download with one cannot be resumed.
    public var body: [UInt8]?
    /// The digest to compute while the bytes pass; none if a ``body`` is sent.
    public var digest: Checksum.Algorithm?
    /// The file for another version than the bytes in the file of ``Place/partial(_:)``: called before such a response
    /// is stored from its first byte, each time one comes, on the ``lane``, else on the transport's thread, where it
    /// must not block. What it throws ends the task, and nothing is stored. `nil`: the file itself, which is truncated.
    public var replacement: (@Sendable () throws(TransferError) -> PartialFile)?
    /// Called once for the response that would be stored, with the address that responded, after redirects; on the
    /// ``lane``, else on the transport's thread, where it must not block.
    public var admit: @Sendable (HTTPResponse, TransferURL) -> Admission

    public init(
        place: Place = .temporary, resume: ResumePoint? = nil, copy: Validator? = nil, body: [UInt8]? = nil,
        digest: Checksum.Algorithm? = nil,
        admit: @escaping @Sendable (HTTPResponse, TransferURL) -> Admission = { _, _ in .accept }
    ) {
        self.place = place
        self.resume = resume
        self.copy = copy
        self.body = body
        self.digest = digest
        self.admit = admit
    }

    /// The file of ``Place/partial(_:)`` is a temporary one of an earlier task.
    var isTemporary = false
    /// The task was made from resume data.
    var isContinued = false
    /// The request is under way already: the first exchange continues it where it would be the same.
    package var ticket: FetchTicket?

    /// Whether other tasks write the same file; `nil`: none ever does.
    package var placement: BodyPlacement?
    /// The length to which a file with several writers is extended, beyond the last byte that any of them writes: a
    /// file that another program truncates stays too short then, too.
    package var extendsTo: Int64?
    /// The task requests the range of ``resume`` for a file that another task downloads: it never starts again from
    /// the first byte.
    package var isPiece = false

    var canRewind: Bool {
        if case .stream = place { false } else { !isPiece }
    }
}
