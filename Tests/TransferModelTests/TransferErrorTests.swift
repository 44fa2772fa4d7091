// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel

@Suite struct TransferErrorTests {
    private static func decoded(_ json: String) throws -> TransferError {
        try JSONDecoder().decode(TransferError.self, from: Data(json.utf8))
    }

    /// What version 1 stored and sent: a number and a message, refined by the numbers of libcurl and of the failed
    /// call.
    @Test(arguments: [
        (#"{"code":28,"message":"h:1: connect timeout","curlCode":28}"#, TransferError.Code.timedOut),
        (#"{"code":1,"message":"cancelled"}"#, .cancelled),
        (#"{"code":1,"message":"something else"}"#, .other),
        (
            #"{"code":23,"message":"cannot write: no space left on device; free some space","systemErrno":28}"#,
            .diskFull
        ),
        (#"{"code":23,"message":"/x: exists already","systemErrno":17}"#, .destinationExists),
        (#"{"code":23,"message":"/x: cannot write: permission denied","systemErrno":13}"#, .cannotWrite),
        (#"{"code":23,"message":"/x: cannot write: file too large","systemErrno":27}"#, .cannotWrite),
        (#"{"code":2,"message":"/x: cannot read: permission denied","systemErrno":13}"#, .usage),
        (#"{"code":2,"message":"/x: cannot read: too many open files","systemErrno":24}"#, .other),
        (
            #"{"code":60,"message":"h:1: SSL certificate problem: self-signed certificate","curlCode":60}"#,
            .certificateUntrusted
        ),
        (#"{"code":60,"message":"h:1: the issuer is unknown","curlCode":83}"#, .certificateRefused),
        (#"{"code":7,"message":"h:1: no such interface","curlCode":45,"systemErrno":19}"#, .interfaceUnavailable),
        (#"{"code":56,"message":"h:1: closed","curlCode":52}"#, .noResponse),
    ]) func readsVersion1(_ json: String, _ code: TransferError.Code) throws {
        let error = try Self.decoded(json)
        #expect(error.code == code)
        #expect(try Self.decoded(String(decoding: JSONEncoder().encode(error), as: UTF8.self)) == error)
    }

    @Test func readsAllMembersOfVersion1() throws {
        let error = try Self.decoded(
            #"{"code":7,"message":"h:1: network unreachable","curlCode":7,"systemErrno":101,"#
                + #""networkUnavailableReason":"cellular","networkObstacle":"no network interface is up"}"#)
        #expect(error.code == .cannotConnect)
        #expect(error.message == "h:1: network unreachable")
        #expect(error.underlying == .init(errno: 101, transport: 7, text: "h:1: network unreachable"))
        #expect(error.fields.networkUnavailableReason == "cellular")
        #expect(error.fields.networkObstacle == "no network interface is up")
    }

    @Test(
        arguments: [
            (EACCES, "permission denied"), (EMFILE, "this program has as many files open as it may"),
            (EFBIG, "the file would be larger than its file system or a limit of this program allows"),
            (-1, "error -1"),
        ] as [(Int32, String)])
    func namesAnErrorOfTheSystem(_ errno: Int32, _ phrase: String) {
        #expect(TransferError.phrase(errno: errno) == phrase)
    }

    /// Older readers find what they know: the number and the message.
    @Test func keepsNumberAndMessage() throws {
        var error = TransferError(.cannotWrite, "cannot write", systemErrno: ENOSPC)
        error.fields = .init(host: "h:1", proxy: "http://p:1", path: "/x", status: 407, timer: .request)
        let json = try JSONEncoder().encode(error)
        let members = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(members["code"] as? Int == 23)
        #expect(members["message"] as? String == "cannot write")
        #expect(members["cause"] as? String == "diskFull")
        #expect(try JSONDecoder().decode(TransferError.self, from: json) == error)
    }

    @Test func commonErrorsHaveNoFurtherMembers() throws {
        let json = try JSONEncoder().encode(TransferError(.usage, "no"))
        let members = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(Set(members.keys) == ["code", "message"])
    }

    @Test(arguments: TransferError.Code.Cause.allCases) func causesSurviveCoding(
        _ cause: TransferError.Code.Cause
    ) throws {
        let error = TransferError(TransferError.Code(cause), "x")
        #expect(try JSONDecoder().decode(TransferError.self, from: JSONEncoder().encode(error)) == error)
        #expect(error.code.name != "other" || error.code.rawValue == 1)
    }

    /// A later version may know more causes and numbers.
    @Test func unknownCausesKeepTheirNumber() throws {
        #expect(try Self.decoded(#"{"code":23,"message":"x","cause":"diskOnFire"}"#).code == .cannotWrite)
        let unknown = try Self.decoded(#"{"code":77,"message":"x"}"#)
        #expect(unknown.code.rawValue == 77)
        #expect(unknown.code.name == "other")
        #expect(FailurePolicy.verdict(unknown).next == .end)
    }
}
