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
        case noIdentifier
        /// Percent-encoded.
        case longIdentifier(bytes: Int, maximumBytes: Int)
        /// In this program or another one.
        case open(name: String)
        /// The folder of one session.
        case sharedFolder(path: String)
        /// That of all sessions.
        case sharedState(path: String)
        /// The service has the transfer no more.
        case transferGone
        case noID
        /// A call to the service, by an error that is none of the library's.
        case serviceFailed
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
        case .noIdentifier:
            "a background session needs an identifier; make its configuration with '.background(IDENTIFIER)'"
        case .longIdentifier(let bytes, let maximum):
            "the identifier of a background session is too long: percent-encoded it has \(bytes) bytes, and "
                + "\(maximum) at most"
        case .open(let name):
            "the background session '\(name)' is open already, in this program or another one; end that one first, or "
                + "choose another identifier"
        case .sharedFolder(let path):
            "\(path): other users can write this folder, so it is not used; 'chmod 700' makes it yours alone"
        case .sharedState(let path):
            "\(path): is another user's, or open to others, so it is not used; set HOME, or FILEQ_HOME, to a folder of "
                + "your own"
        case .transferGone:
            "the background service no longer has this transfer, and does not say how it ended; start it again"
        case .noID: "the background service gave the transfer no id"
        case .serviceFailed: "the background service failed"
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
