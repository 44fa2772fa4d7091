// SPDX-License-Identifier: MIT

/// What a program cannot do with a session or a stream: the value of ``TransferError/Fields/session``.
///
/// ``message`` is the sentence of the library; a program may make another one of the case.
public enum SessionProblem: Sendable, Hashable {
    case invalidated
    /// The transport carries none.
    case noStreams
    case noCookieFiles
    /// TLS can begin only with the first byte.
    case lateTLS(authority: String, hasEnded: Bool)
    case streamEnded(authority: String)
    case readingClosed(authority: String)
    case writingClosed(authority: String)
    case notRead(authority: String, seconds: Double)
    case notWritten(authority: String, seconds: Double)
    /// The body of a response has one.
    case secondReader
    case bodyIsReadOnly
    case background(BackgroundProblem)

    /// What sessions of the background service do not have, or not any more.
    public enum BackgroundProblem: Sendable, Hashable {
        case connections
        case noConnector
        case closures
        case dataTasks
        case digests
        case continuedUploads
        case bytesAndStreams
        case destinations
        case targets
        /// The downloaded file.
        case fileGone(path: String)
        case unexplained(url: String)
    }

    /// One line, in lower case and without full stop.
    public var message: String {
        switch self {
        case .invalidated: "the session has been invalidated and takes no more tasks"
        case .noStreams: "this session's transport carries no streams"
        case .noCookieFiles: "this session keeps no cookie files; leave the cookie jar out"
        case .lateTLS(let authority, let hasEnded):
            "\(authority): TLS can begin only with the first byte of a connection, and "
                + (hasEnded ? "this one has ended" : "bytes have moved; ask for it before reading and writing")
        case .streamEnded(let authority): "\(authority): the stream has ended"
        case .readingClosed(let authority): "\(authority): the stream has been closed for reading"
        case .writingClosed(let authority): "\(authority): the stream has been closed for writing"
        case .notRead(let authority, let seconds):
            "\(authority): not read within \(TransferError.seconds(seconds))"
        case .notWritten(let authority, let seconds):
            "\(authority): not written within \(TransferError.seconds(seconds))"
        case .secondReader: "the body of a response has one reader"
        case .bodyIsReadOnly: "the body of a response can only be read"
        case .background(let problem): problem.message
        }
    }
}

extension SessionProblem.BackgroundProblem {
    fileprivate var message: String {
        switch self {
        case .connections: "a background session makes no connections of its own"
        case .noConnector: "a background session needs a connector to the service; create it with one"
        case .closures: "a background session calls no closures, which end with the program; use a delegate"
        case .dataTasks: "a background session has no data tasks; download into a file"
        case .digests: "a background session computes no digest of what it sends; leave it out"
        case .continuedUploads: "a background session resumes its uploads without data; upload the file"
        case .bytesAndStreams:
            "a background session sends files alone, since bytes and streams end with the program; write them to a file"
        case .destinations:
            "a background session downloads into files of its own; move them in didFinishDownloadingTo"
        case .targets:
            "a background session stores what it needs to resume, and computes no digest; leave the target out"
        case .fileGone(let path):
            "\(path): the downloaded file is no longer there; it was taken before, or removed"
        case .unexplained(let url): "\(url): failed, the background service does not say why"
        }
    }
}

extension TransferError {
    package init(_ code: Code, _ session: SessionProblem) {
        self.init(code, session.message)
        fields.session = session
    }

    /// Code `usage`.
    package init(_ session: SessionProblem) { self.init(.usage, session) }
}
