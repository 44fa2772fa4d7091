// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// A fault of the client's own, planted in a seam to prove that the invariants see it.
enum PlantedBug: String, CaseIterable {
    /// Every response seems to be of the version that was asked for.
    case validatorUnchecked
    /// A 206 is taken for the range that was requested, whatever it says.
    case contentRangeUnchecked
    /// A resumed body is written one byte too early.
    case rangeOffByOne
    /// The announced length is not read, and a body that breaks off counts as whole.
    case truncationUnnoticed
    /// Each attempt of an upload has a key of its own.
    case keyPerAttempt
    /// A broken connection counts as a success of the upload.
    case uploadTrusted
    /// The 2xx to half a body counts.
    case earlyResponseTrusted
    /// `Retry-After` is not read.
    case retryAfterIgnored
    /// A suspended exchange continues.
    case pauseIgnored
    /// An error page counts as the file.
    case errorPageTrusted
    /// One timer in four never fires.
    case lostWakeUp
    /// Files are named without their bytes on disk.
    case renameBeforeSync
    /// Names are not synced.
    case nameNotSynced
    /// fsync returns without effect, for the journal.
    case journalNotSynced
    /// fsync returns without effect, for partial files whose record then says that they are synced.
    case recordBeforeData
    /// Another boot looks like the same one.
    case bootForgotten
    /// A restart finds the journal without its last transaction.
    case journalLosesWrite
    /// One transfer more than allowed runs.
    case limitOffByOne
    /// The reply to a command comes although it was not carried out.
    case commandDropped
    /// Bytes of a cancelled exchange that come late are taken for those of the next one for the same file.
    case fenceForgotten
    /// A connection on which nothing moves any more is waited for without end.
    case silenceUnnoticed
    /// The checksum that the user gave is not checked.
    case checksumUnchecked
    /// A mirror receives the fields that are for the file's own server.
    case secretToMirror
    /// A resumable upload continues at its first byte.
    case offsetForgotten
    /// A response to an append counts for all of its bytes, whatever offset it states.
    case shortAppendTrusted
    /// The next process takes a hold of the queue that was interrupted for a finished one.
    case holdLeftUnfinished
    /// Every tenth update of a client is lost.
    case updateLost
    /// No request has the login that a user gave.
    case loginForgotten
    /// A mirror receives the login of another server.
    case loginToMirror
    /// An answer is for whatever the transfer asks by now.
    case answerToAnyQuestion
    /// A declined question is confirmed as such, and stays open.
    case declineDropped
    /// Bytes move after a server has refused a request for want of a login.
    case refusalIgnored
    /// The limit of a transfer does not reach its connections.
    case rateForgotten
    /// The limits for all are in force until the program ends.
    case ratesForgotten
    /// The limits of the hour at which the program began are in force until it ends.
    case hourForgotten
    /// The control server adds transfers twice.
    case addedTwice
    /// The control server misses the last of several IDs.
    case requestCutShort
    /// Any key of a server is trusted.
    case keyTrustedUnasked
    /// The reply to an undo comes although nothing was undone.
    case undoDropped
    /// One undo reverts two commands.
    case undoneTwice
    /// A clearing is confirmed and not carried out.
    case clearDropped
    /// A clearing of some takes all.
    case clearTakesAll
    /// The reason of a failure quotes the request's fields.
    case secretInError
    /// Of requests without tasks: a body that breaks off counts as whole.
    case fetchCutShort
    /// A broken connection counts as a success of the upload.
    case fetchTrusted
    /// The body of the one before is reported.
    case bodyOfAnother
    /// It has the fields of the one before.
    case fieldsOfAnother
    /// What was withdrawn begins nevertheless.
    case withdrawalIgnored
    /// What is called back is lost.
    case fetchesForgotten
    /// One more than allowed begins.
    case slotsIgnored
    /// What a task continues begins once more.
    case fetchRepeated
}

/// Planted bugs in what a client sends, and those that keep a check of it from seeing what it checks.
enum Blindness {
    static func request(_ exchange: Exchange, _ bug: PlantedBug?, _ origin: Origin) -> Exchange {
        var exchange = exchange
        let isMirror = exchange.url.host == Origin.mirrorHost
        switch bug {
        // That of file 3 is mirror 3.
        case .secretToMirror where isMirror:
            exchange.fields[Secrets.field] = origin.secrets["/f\(exchange.url.path.dropFirst(2))"]
        case .loginForgotten: exchange.authentication = .none
        case .loginToMirror where isMirror:
            if let login = origin.guards.lastGiven { exchange.authentication = .basic(login) }
        case .keyTrustedUnasked where exchange.url.isSecure:
            exchange.trust = .exception(publicKeySHA256: origin.guards.key(of: exchange.url.host))
        default: break
        }
        return exchange
    }

    static func apply(_ bug: PlantedBug?, _ exchange: Exchange, _ response: inout Origin.Response) {
        switch bug {
        case .truncationUnnoticed: response.head.headerFields[.contentLength] = nil
        case .errorPageTrusted where response.head.status.code == 503 && exchange.method == .get:
            response.head.status = .ok
            response.body = Array("busy".utf8)
        case .shortAppendTrusted where exchange.method == .patch && response.head.status.kind == .successful:
            guard case .file(_, _, let count) = exchange.body,
                let offset = exchange.fields[.uploadOffset].flatMap({ Int($0) })
            else { return }
            response.head.headerFields[.uploadOffset] = String(offset + Int(count))
        default: if response.head.status == .partialContent { apply(bug, exchange, toPartial: &response.head) }
        }
    }

    private static func apply(_ bug: PlantedBug?, _ exchange: Exchange, toPartial head: inout HTTPResponse) {
        switch bug {
        case .validatorUnchecked:
            if let condition = exchange.fields[.ifRange] {
                if condition.hasPrefix("\"") {
                    head.headerFields[.eTag] = condition
                } else {
                    head.headerFields[.lastModified] = condition
                }
            }
            // And with it the length of the other version.
            if let range = head.headerFields[.contentRange], let slash = range.firstSlash {
                head.headerFields[.contentRange] = range[..<slash] + "/*"
            }
        case .contentRangeUnchecked:
            guard let range = head.headerFields[.contentRange],
                let asked = exchange.fields[.range]?.dropFirst("bytes=".count),
                let slash = range.firstSlash,
                let first = asked.split(separator: "-").first.flatMap({ Int($0) }),
                let length = head.headerFields[.contentLength].flatMap({ Int($0) })
            else { return }
            head.headerFields[.contentRange] = "bytes \(first)-\(first + length - 1)" + range[slash...]
        default: break
        }
    }
}
