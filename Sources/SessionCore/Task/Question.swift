// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// A question of a task to a delegate. The task continues with the answer.
enum Question: Sendable, Equatable {
    case redirect(Redirect)
    case challenge(AuthenticationChallenge)
    case response(HTTPResponse)
}

/// A delegate's reply.
enum QuestionAnswer: Sendable {
    case redirect(Redirect?)
    case challenge(ChallengeDisposition)
    case response(ResponseDisposition)
}

/// Which questions a delegate answers. The others get the default.
struct Interests: OptionSet, Sendable {
    let rawValue: UInt8
    static let redirect = Interests(rawValue: 1)
    static let response = Interests(rawValue: 2)
    static let taskChallenge = Interests(rawValue: 4)
    static let sessionChallenge = Interests(rawValue: 8)
    static let newBody = Interests(rawValue: 16)
    static let caching = Interests(rawValue: 32)
    static let delay = Interests(rawValue: 64)

    /// Session-wide challenges go to the session's delegate, or without one to the task's; the others go to the task's
    /// alone.
    func include(_ method: ProtectionSpace.Method) -> Bool {
        contains(.taskChallenge) || (method.isSessionWide && contains(.sessionChallenge))
    }
}

/// A redirect as it would be followed. A delegate may change or refuse it.
public struct Redirect: Sendable, Hashable {
    /// The 3xx.
    public let response: HTTPResponse
    public var url: TransferURL
    public var method: HTTPRequest.Method
    /// Whether the request's body is sent again.
    public var keepsBody: Bool
    /// Added to the request's fields. Credentials here go to the origin of `url`.
    public var additionalFields = HTTPFields()

    init(response: HTTPResponse, url: TransferURL, method: HTTPRequest.Method, keepsBody: Bool) {
        self.response = response
        self.url = url
        self.method = method
        self.keepsBody = keepsBody
    }
}

/// The decision about a request whose earliest start has come.
public enum DelayedRequestDisposition: Sendable, Hashable {
    case continueLoading
    /// This is sent instead. ``TransferTask/originalRequest`` does not change; body, destination and priority stay
    /// those of the task.
    case useNewRequest(TransferRequest)
    /// The task ends with ``TransferModel/TransferError/cancelled``.
    case cancel
}

/// The decision about the response of a data or upload task.
public enum ResponseDisposition: Sendable, Hashable {
    /// Its body comes as data.
    case allow
    /// The task ends with ``TransferModel/TransferError/cancelled``.
    case cancel
    /// Its body goes to a file; the task continues as a ``DownloadTask`` of the same identifier.
    case becomeDownload
    /// Its body is read through a ``StreamTask``; this task ends with it.
    case becomeStream
}
