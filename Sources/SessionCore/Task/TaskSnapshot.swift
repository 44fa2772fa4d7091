// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The state of a task that any thread reads, and the calls it makes: the task's only value behind a lock. All other
/// state is isolated to the session's executor.
struct TaskSnapshot: Sendable {
    /// A call of the program; calls take effect in their order.
    enum Call: Sendable {
        case resume
        case suspend
        case cancel
        case cancelProducing(@Sendable (ResumeData?) -> Void)
        case liftRestrictions
        case fail(TransferError)
    }

    /// Settings that the program may change at any time.
    struct Settings: Sendable {
        var rateLimit: Int?
        var priority: Double
        /// The task may use any network.
        var isUnrestricted: Bool
        var taskDescription: String?
        var earliestBegin: Double?
        var clientExpects: (toSend: Int64?, toReceive: Int64?)
    }

    /// A request as sent.
    struct Sent: Sendable {
        var url: TransferURL
        var method: HTTPRequest.Method
        var isOriginalOrigin: Bool
        var fields: HTTPFields
    }

    /// The file of an upload, as it was when it was opened.
    struct UploadedFile: Sendable {
        var target: TransferURL
        var method: HTTPRequest.Method
        var path: String
        var identity: UploadCheckpoint.Source
    }

    /// Where another task could resume.
    struct Resumable: Sendable {
        /// Where the plan resumes: between two exchanges, and before the next one's head.
        var next: ResumePoint?
        /// Bytes of the file that were there before the exchange.
        var before: Int64
        /// The bytes that the exchange receives go to the file.
        var isStoring: Bool
        var validator: Validator
        var total: Int64?
        var contentType: String?
        var contentEncoding: String?
        var address: TransferURL
        var hasComeInRanges: Bool
    }

    var settings: Settings
    var delegate = Audience(nil)
    /// A delegate's replacement of the original request before that was sent.
    var replacement: TransferRequest?
    /// A delegate was notified of the first wait.
    var hasReportedFirstWait = false

    /// Not passed to the machine yet.
    private var calls: [Call] = []
    /// As of the latest calls: the state that a program reads is the one it has requested.
    private var suspensions = 1
    private var isCancelled = false

    // As last published by the executor, the changes of each event together.

    var isEnded = false
    /// The current or last URL; `nil` before the first exchange.
    var url: TransferURL?
    var wait: PathWait?
    var response: HTTPResponse?
    var error: TransferError?
    var progress = TaskProgress()
    var digest: [UInt8]?
    /// Whether the last exchange got its response before the whole body was sent.
    var hasEarlyResponse = false
    /// Bytes of the body that the transport took, in the exchange that took the most.
    var handedOver: Int64 = 0
    /// The first bytes of an error response that a download does not store; `nil` before one.
    var refusedBody: [UInt8]?
    /// The request of the last exchange, as sent.
    var sent: Sent?
    /// A password was sent as Basic without TLS, because the server demanded it.
    var hasSentPasswordInClear = false
    /// Why the download began again from its first byte.
    var restartCause: RestartCause?
    /// `nil` before a response was accepted.
    var resumable: Resumable?
    /// Where the upload continues; `nil` before the server has created it, and once it has been accepted.
    var uploadPoint: UploadPoint?
    /// The file of an upload that may be resumed, by its absolute path.
    var uploadSource: UploadedFile?

    init(_ options: TransferOptions) {
        settings = Settings(
            rateLimit: options.rateLimit, priority: options.priority, isUnrestricted: options.liftsRestrictions)
    }

    // MARK: Calls

    /// - Returns: whether it is the first that waits: then the caller has the calls passed.
    mutating func add(_ call: Call) -> Bool {
        switch call {
        case .resume: suspensions = max(0, suspensions - 1)
        case .suspend: suspensions += 1
        case .cancel, .cancelProducing: isCancelled = true
        case .liftRestrictions: settings.isUnrestricted = true
        case .fail: break
        }
        calls.append(call)
        return calls.count == 1
    }

    mutating func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    // MARK: What a task shows

    var state: TransferTask.State {
        if isEnded { return .completed }
        if isCancelled { return .canceling }
        return suspensions > 0 ? .suspended : .running
    }

    var shownProgress: TaskProgress {
        var shown = progress
        shown.expectedToReceive = shown.expectedToReceive ?? settings.clientExpects.toReceive
        shown.expectedToSend = shown.expectedToSend ?? settings.clientExpects.toSend
        return shown
    }

    var uploadResumeData: UploadResumeData? {
        guard let uploadPoint, let file = uploadSource else { return nil }
        return UploadResumeData(
            url: file.target.string, method: file.method.rawValue, filePath: file.path, source: file.identity,
            point: uploadPoint)
    }

    /// - Parameter given: from where the task itself resumes.
    func resumePoint(given: ResumePoint?) -> ResumePoint? {
        guard let resumable else { return given }
        if let next = resumable.next { return next }
        var point = ResumePoint(
            offset: resumable.before + (resumable.isStoring ? progress.received : 0), validator: resumable.validator,
            total: resumable.total, contentType: resumable.contentType, contentEncoding: resumable.contentEncoding)
        point?.address = resumable.address
        point?.hasComeInRanges = resumable.hasComeInRanges
        return point
    }
}
