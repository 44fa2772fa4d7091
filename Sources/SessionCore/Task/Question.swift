// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// What a task asks a delegate before it goes on.
enum Question: Sendable, Equatable {
    case redirect(Redirect)
    case challenge(AuthenticationChallenge)
    case response(HTTPResponse)
}

/// What a delegate said.
enum QuestionAnswer: Sendable {
    case redirect(Redirect?)
    case challenge(ChallengeDisposition)
    case response(ResponseDisposition)
}

/// Which questions somebody is there to answer. The others are answered as if no delegate were there.
struct Interests: OptionSet, Sendable {
    let rawValue: UInt8
    static let redirect = Interests(rawValue: 1)
    static let response = Interests(rawValue: 2)
    static let taskChallenge = Interests(rawValue: 4)
    static let sessionChallenge = Interests(rawValue: 8)
    static let newBody = Interests(rawValue: 16)
    static let caching = Interests(rawValue: 32)
    static let delay = Interests(rawValue: 64)

    /// Session-wide challenges go to the session first and to the task if the session does not hear them; the others go
    /// to the task alone.
    func hear(_ method: ProtectionSpace.Method) -> Bool {
        contains(.taskChallenge) || (method.isSessionWide && contains(.sessionChallenge))
    }
}

/// A redirect as it would be followed. A delegate may change it, or follow none.
public struct Redirect: Sendable, Hashable {
    /// The 3xx.
    public let response: HTTPResponse
    public var url: TransferURL
    public var method: HTTPRequest.Method
    /// Whether the request's body is sent again.
    public var keepsBody: Bool
    /// Added to the request's fields. Credentials here go to wherever `url` says.
    public var additionalFields = HTTPFields()

    init(response: HTTPResponse, url: TransferURL, method: HTTPRequest.Method, keepsBody: Bool) {
        self.response = response
        self.url = url
        self.method = method
        self.keepsBody = keepsBody
    }
}

/// What becomes of a request whose earliest begin has come.
public enum DelayedRequestDisposition: Sendable, Hashable {
    case continueLoading
    /// This is sent instead. ``TransferTask/originalRequest`` stays what it was; body, destination and priority are the
    /// task's.
    case useNewRequest(TransferRequest)
    /// The task ends with ``TransferModel/TransferError/cancelled``.
    case cancel
}

/// What becomes of a data or upload task's answer.
public enum ResponseDisposition: Sendable, Hashable {
    /// Its body comes as data.
    case allow
    /// The task ends with ``TransferModel/TransferError/cancelled``.
    case cancel
    /// Its body goes to a file; the task goes on as a ``DownloadTask`` of the same identifier.
    case becomeDownload
    /// Its body is read through a ``StreamTask``; this task ends with it.
    case becomeStream
}
