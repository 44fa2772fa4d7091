// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// Every decision of one upload that can continue, in one protocol: what happened in, which exchange next out. No I/O,
/// no clock.
///
/// An attempt begins with ``begin(knowing:)``; the end of each exchange is reported by ``ended(_:)``, and
/// ``interim(_:from:)`` and ``sent(_:)`` come in between. After a failure the next attempt begins again, in this
/// process or another one: ``point`` is all that it needs.
package protocol UploadMachine: Sendable {
    var subject: UploadSubject { get }
    /// Where the upload continues; `nil` until the server has created it.
    var point: UploadPoint? { get }
    /// Bytes in all; `nil` as long as a stream has not ended.
    var size: Int64? { get }
    /// Where the content under way begins in the file; `nil`: no content is under way.
    var base: Int64? { get }
    /// What this attempt found out about the server; `nil` if it asked nothing.
    var found: UploadSupport? { get }
    /// The attempt failed because of what the server announced, which may be outdated.
    var failedForSupport: Bool { get }
    /// How to remove what the server has, a request for each resource; empty if it has nothing.
    var cancellations: [UploadExchange] { get }
    /// The same without a request of the user: of an upload that no attempt continues from ``point``.
    var removals: [UploadRemoval] { get }

    /// Begins an attempt.
    /// - Parameter support: what the server announced earlier; `nil`: not known.
    mutating func begin(knowing support: UploadSupport?) -> UploadStep
    /// An informational response has come, from the address `url`.
    mutating func interim(_ head: HTTPResponse, from url: TransferURL) -> UploadNote
    /// `count` bytes of the content under way have been sent.
    mutating func sent(_ count: Int64)
    /// Content under way up to this position of the file may be sent: ``point`` is stored before it is.
    mutating func willSend(upTo position: Int64)
    /// An exchange has ended.
    mutating func ended(_ reply: UploadReply) -> UploadStep
    /// More of a stream can be sent.
    /// - Parameters:
    ///   - available: bytes read so far.
    ///   - isEnd: no more follow.
    /// - Returns: the next step if it waited for bytes; `nil` while an exchange is under way.
    mutating func supplied(upTo available: Int64, isEnd: Bool) -> UploadStep?
    /// The exchange of the last ``UploadStep/commit(_:)`` is not sent: the transfer was paused or ended meanwhile.
    mutating func withheld()
    /// What this machine no longer continues and the server may have all the same, since the last call.
    mutating func takeRemovals() -> [UploadRemoval]
}

extension UploadMachine {
    package var failedForSupport: Bool { false }
    package mutating func withheld() {}

    var authority: String { subject.target.authority }

    /// Why an attempt ends whose requests bring it no further.
    var standstill: TransferError {
        TransferError(.sendFailed, .standstill, point?.offset ?? 0, host: authority)
    }

    /// The server confirms bytes below `offset`, and not all of them were sent.
    func excess(_ offset: Int64) -> TransferError {
        TransferError(.sendFailed, .excess, offset, host: authority, fields: .init(variant: .storedOtherBytes))
    }
}

/// The share that a server took of a request with content. One that takes crumbs would get the rest of the file again.
struct AppendShare {
    var taken: Int64
    var sent: Int64

    /// The next request may follow at once.
    var isWorthwhile: Bool { taken == sent || taken > 0 && taken >= sent / 16 }
    /// The most bytes of the next one; `nil`: as before.
    var most: Int64? {
        let least = ResumableUpload.smallestAppend
        return sent > least && (1..<sent / 2).contains(taken) ? max(least, taken * 2) : nil
    }

    /// Whether an offset has grown by enough to count.
    static func isProgress(_ bytes: Int64, of rest: Int64) -> Bool {
        bytes >= min(ResumableUpload.leastAppend, max(1, rest))
    }
}

/// An upload whose parts are sent at the same time: one of them is the content under way, whose failure is that of the
/// attempt; the others are sent beside it.
package protocol ParallelUploadMachine: UploadMachine {
    /// What is sent next beside the content under way, and for which part; `nil`: nothing.
    mutating func beside() -> (number: Int, exchange: UploadExchange)?
    /// The exchange of a part beside the content under way has ended.
    mutating func ended(beside number: Int, _ reply: UploadReply) -> BesideEnd
    /// The part is not sent, or its task was ended.
    mutating func forget(beside number: Int)
    /// Why a part starts again from its first byte, if one does since the last call.
    mutating func takeLoss() -> TransferError?
}

extension ParallelUploadMachine {
    package mutating func takeLoss() -> TransferError? { nil }
}

/// What the end of an exchange beside the content under way means.
package enum BesideEnd: Sendable, Equatable {
    /// The server has confirmed bytes of the part, or what it has of it is known now.
    case confirmed
    /// The part is sent again, by the own task if by no other one.
    case missing
    /// The server may have bytes of the part: ``ParallelUploadMachine/beside()`` asks which.
    case unclear
    /// The server has nothing of the part any more.
    case lost
}

package enum UploadStep: Sendable, Equatable {
    case send(UploadExchange)
    /// The stream has no more bytes now: ``UploadMachine/supplied(upTo:isEnd:)`` follows.
    case await
    /// The part with this number, which another task sends, is the content under way from now on.
    case join(Int)
    /// Store ``UploadMachine/point`` before sending this.
    case commit(UploadExchange)
    /// The server does not resume uploads of this kind: send the file without a protocol.
    case sendPlain
    /// The file is stored. The last response is that of its target, unless `isVerdict` is false: then the server
    /// states that the upload is complete, and the target's response is lost.
    case finish(isVerdict: Bool)
    /// The attempt failed; whether another one follows is for the caller to decide.
    case failed(TransferError)
    /// The server is busy with this upload: another attempt follows.
    case busy(TransferError)
    /// The target refuses the file.
    case refused(TransferError)
    /// The upload no longer exists on the server: another attempt starts from the first byte.
    case restart(TransferError)
    /// No attempt can help.
    case end(TransferError)
}

extension UploadStep {
    /// As this one, whose error may not pass however often the server is asked where the upload stands.
    package func adviseAfterQuery() -> UploadStep {
        func advised(_ error: TransferError) -> TransferError {
            var error = error
            let isOfServer = (error.fields.status ?? 0) >= 500 || FailurePolicy.verdict(error).path == .broke
            if isOfServer, error.fields.variant == nil { error.fields.variant = .noUploadOffset }
            return error
        }
        return switch self {
        case .failed(let error): .failed(advised(error))
        case .busy(let error): .busy(advised(error))
        default: self
        }
    }
}

/// What an informational response has changed.
package enum UploadNote: Sendable, Equatable {
    case nothing
    /// The upload can be resumed from now on: store ``UploadMachine/point`` now.
    case created
    /// ``UploadPoint/offset`` has grown.
    case confirmed
}
