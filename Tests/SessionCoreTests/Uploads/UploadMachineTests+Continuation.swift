// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// From the first interim response to the last one of the target.
extension UploadMachineTests {
    // MARK: Interim responses

    @Test func theFirstInterimResponseMakesItResumable() {
        var talk = Talk(.ietf)
        _ = talk.begin(UploadSupport.none)
        #expect(talk.gets([.uploadInterop: "10", .location: "/u"]) == .created)
        #expect(talk.gets([.uploadInterop: "10", .uploadOffset: "100"]) == .confirmed)
        #expect(talk.gets([.uploadInterop: "10", .uploadOffset: "50"]) == .nothing)
        #expect(talk.machine.point?.offset == 100)
        #expect(talk.breaks() == "failed 56")
        #expect(talk.begin() == "HEAD /u v10")
        #expect(talk.says(204, [.uploadOffset: "200", .uploadComplete: "?0"]) == "PATCH /u v10 ?1 @200 200-3000000")
    }

    @Test(
        arguments: [
            [:], [.uploadInterop: "7"], [.uploadInterop: "6"], [.uploadInterop: "\"8\""],
        ] as [HTTPFields]) func interimResponsesOfOtherVersionsAreIgnored(_ version: HTTPFields)
    {
        var talk = Talk(.ietf)
        _ = talk.begin(UploadSupport.none)
        var fields = version
        fields[.location] = "/u"
        #expect(talk.gets(fields) == .nothing)
        #expect(talk.machine.point == nil)
    }

    @Test func anInterimResponseBeyondWhatWasSentEndsIt() {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits(maximumAppend: 5000)))
        #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u v8 ?0 @0 0-5000")
        #expect(talk.gets([.uploadInterop: "8", .uploadOffset: "5001"]) == .nothing)
        #expect(talk.says(204, [.uploadOffset: "5000"]) == "end 55")
    }

    // MARK: Continuing

    @Test(arguments: UploadInterop.preferred) func everyAttemptAsksFirst(_ version: UploadInterop) {
        var talk = Talk(.ietf, point: 500, .ietf(version))
        #expect(talk.begin() == "HEAD /u v\(version.rawValue)")
        #expect(talk.breaks() == "failed 56")
        #expect(talk.begin() == "HEAD /u v\(version.rawValue)")
        let complete = version == .v3 ? HTTPField.Name.uploadIncomplete : .uploadComplete
        let incomplete = version == .v3 ? "?1" : "?0"
        #expect(
            talk.says(204, [.uploadOffset: "600", complete: incomplete])
                == "PATCH /u v\(version.rawValue) ?1 @600 600-3000000")
        // The other field means nothing in this version: NIO's server swaps them.
        #expect(talk.says(201, [version == .v3 ? .uploadComplete : .uploadIncomplete: "?0"]) == "finish")
    }

    @Test func foolishOffsetsAreNoReasonToContinue() {
        for (offset, expected) in [
            ("-1", "end 55"), ("abc", "end 55"), ("1.5", "end 55"), ("\"5\"", "end 55"), ("3000001", "end 55"),
            ("999999999999999", "end 55"), ("9999999999999999", "end 55"), ("499", "restart 33"),
        ] {
            var talk = Talk(.ietf, point: 500)
            _ = talk.begin()
            #expect(talk.says(204, [.uploadOffset: offset, .uploadComplete: "?0"]) == expected, "\(offset)")
            #expect(talk.machine.point == nil)
        }
        var talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        #expect(talk.says(204) == "end 55")
    }

    @Test func aLengthThatDiffersEndsIt() {
        for carrier in [UploadCarrier.ietf(.v8), .tus] {
            var talk = Talk(.auto, point: 500, carrier)
            _ = talk.begin()
            #expect(talk.says(204, [.uploadOffset: "500", .uploadLength: "500"]) == "end 55")
        }
    }

    @Test(arguments: [404, 410]) func anExpiredUploadStartsAgain(_ status: Int) {
        var talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        #expect(talk.says(status) == "restart 33")
        #expect(talk.machine.point == nil)
        talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        _ = talk.says(204, [.uploadOffset: "500", .uploadComplete: "?0"])
        #expect(talk.says(status) == "restart 33")
    }

    @Test(arguments: [401, 429, 500, 502, 503, 504]) func troubleKeepsThePoint(_ status: Int) {
        for line in [0, 1] {
            var talk = Talk(.ietf, point: 500)
            _ = talk.begin()
            if line == 1 { _ = talk.says(204, [.uploadOffset: "500", .uploadComplete: "?0"]) }
            #expect(talk.says(status).hasPrefix("failed"))
            #expect(talk.machine.point?.offset == 500)
        }
    }

    /// The server has closed the connection, which was used before.
    @Test func anAppendWithoutAResponseIsAskedAbout() {
        let (closed, state) = (
            TransferError(.noResponse, "closed"), [.uploadOffset: "500", .uploadComplete: "?0"] as HTTPFields
        )
        var talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        for _ in 0..<ResumableUpload.patience {
            #expect(talk.says(204, state) == "PATCH /u v8 ?1 @500 500-3000000")
            #expect(talk.breaks(closed) == "HEAD /u v8")
        }
        _ = talk.says(204, state)
        #expect(talk.breaks(closed) == "failed 56")
        #expect(talk.begin() == "HEAD /u v8")
        #expect(talk.breaks(closed) == "failed 56")
        // A creation has no address yet.
        talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        #expect(talk.breaks(closed) == "failed 56")
    }

    @Test func aConflictHasTheRightOffset() {
        var talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        _ = talk.says(204, [.uploadOffset: "500", .uploadComplete: "?0"])
        #expect(talk.says(409, [.uploadOffset: "700"]) == "PATCH /u v8 ?1 @700 700-3000000")
        #expect(talk.says(409) == "HEAD /u v8")
        #expect(talk.says(204, [.uploadOffset: "700", .uploadComplete: "?0"]) == "PATCH /u v8 ?1 @700 700-3000000")
        #expect(talk.says(409, [.uploadOffset: "3000001"]) == "end 55")
    }

    @Test func conflictsWithoutEndAreNotFollowed() {
        var talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        var steps: [String] = []
        while steps.count < 50, !(steps.last?.hasPrefix("busy") ?? false) {
            steps.append(talk.says(204, [.uploadOffset: "500", .uploadComplete: "?0"]))
            steps.append(talk.says(409, [.uploadOffset: "500"]))
        }
        #expect(steps.count < 20 && talk.machine.point?.offset == 500, "\(steps)")
        #expect(talk.lastError?.fields.status == 409)
    }

    @Test func limitsAreObeyed() {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits(maximumAppend: 2_000_000)))
        #expect(
            talk.says(201, [.location: "/u", .uploadLimit: "max-append-size=1500000"])
                == "commit PATCH /u v8 ?0 @0 0-1500000")
        #expect(
            talk.says(204, [.uploadOffset: "1500000", .uploadComplete: "?0"])
                == "PATCH /u v8 ?1 @1500000 1500000-3000000")
        #expect(talk.says(201, [.uploadComplete: "?1"]) == "finish")
    }

    @Test func tooLargeMeansSmallerAppends() {
        var talk = Talk(.ietf, point: 0)
        _ = talk.begin()
        let state: HTTPFields = [.uploadOffset: "0", .uploadComplete: "?0"]
        _ = talk.says(204, state)
        #expect(talk.says(413) == "HEAD /u v8")
        #expect(talk.says(204, state) == "PATCH /u v8 ?0 @0 0-1048576")
        #expect(talk.says(413, [.uploadLimit: "max-append-size=5000"]) == "HEAD /u v8")
        #expect(talk.says(204, state) == "PATCH /u v8 ?0 @0 0-5000")
        #expect(talk.says(413) == "refused 22")
    }

    /// Limits that no request can obey are none.
    @Test(arguments: [
        "max-append-size=0", "max-append-size=10, min-append-size=20", "max-size=1, min-size=2, max-append-size=10",
        "max-append-size=-5", "max-append-size=ten", "max-append-size=5000; max-append-size",
    ]) func limitsThatContradictAreIgnored(_ limits: String) {
        let isUsable = limits.contains(";")
        let expected = isUsable ? "?0 @0 0-5000" : "?1 @0 0-3000000"
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        #expect(talk.says(201, [.location: "/u", .uploadLimit: limits]) == "commit PATCH /u v8 \(expected)")
        talk = Talk(.ietf, point: 0)
        _ = talk.begin()
        let state: HTTPFields = [.uploadOffset: "0", .uploadComplete: "?0", .uploadLimit: limits]
        #expect(talk.says(204, state) == "PATCH /u v8 \(expected)")
        if !isUsable { #expect(talk.machine.point?.maximumAppend == nil) }
    }

    @Test func anAppendThatWasTakenInPartContinues() {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits(maximumAppend: 5000)))
        _ = talk.says(201, [.location: "/u"])
        #expect(talk.says(204, [.uploadOffset: "400"]) == "PATCH /u v8 ?0 @400 400-5400")
        // No offset: all of it.
        #expect(talk.says(204) == "PATCH /u v8 ?0 @5400 5400-10400")
        #expect(talk.says(204, [.uploadOffset: "10401"]) == "end 55")
    }

    @Test func aCompleteUploadTooEarlyIsNone() {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits(maximumAppend: 5000)))
        _ = talk.says(201, [.location: "/u"])
        #expect(talk.says(201, [.uploadComplete: "?1"]) == "end 55")
        talk = Talk(.ietf, point: 10)
        _ = talk.begin()
        #expect(talk.says(204, [.uploadOffset: "2999999", .uploadComplete: "?1"]) == "end 55")
    }

    @Test func aTwoHundredForPartOfTheContentIsChecked() {
        var talk = Talk(.ietf, point: 0)
        _ = talk.begin()
        _ = talk.says(204, [.uploadOffset: "0", .uploadComplete: "?0"])
        #expect(talk.says(201, isEarly: true) == "HEAD /u v8")
        talk = Talk(.ietf)
        _ = talk.begin(UploadSupport.none)
        #expect(talk.says(201, isEarly: true) == "end 55")
    }

    // MARK: The end

    @Test func theLengthReachedIsNotTheEnd() {
        var talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        #expect(talk.says(204, [.uploadOffset: "3000000", .uploadComplete: "?0"]) == "PATCH /u v8 ?1 @3000000 empty")
        #expect(talk.says(201) == "finish")
    }

    @Test func aLostFinalResponseIsAskedForAgain() {
        var talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        _ = talk.says(204, [.uploadOffset: "500", .uploadComplete: "?0"])
        talk.machine.sent(2_999_500)
        #expect(talk.breaks() == "failed 56")
        #expect(talk.machine.point?.isTailSent == true)
        #expect(talk.begin() == "HEAD /u v8")
        #expect(talk.says(204, [.uploadOffset: "3000000", .uploadComplete: "?1"]) == "PATCH /u v8 ?1 @3000000 empty")
        #expect(talk.says(201, [.location: "/files/x"]) == "finish")
    }

    @Test(arguments: [
        (404, "finish without verdict"), (409, "finish without verdict"), (422, "refused 22"), (503, "failed 22"),
    ])
    func aServerMayNotRepeatItsFinalResponse(_ status: Int, _ expected: String) {
        var talk = Talk(.ietf, point: 500)
        _ = talk.begin()
        _ = talk.says(204, [.uploadOffset: "3000000", .uploadComplete: "?1"])
        #expect(talk.says(status) == expected)
    }

    @Test func olderVersionsDoNotRepeatIt() {
        var talk = Talk(.ietf, point: 500, .ietf(.v6))
        _ = talk.begin()
        #expect(talk.says(204, [.uploadOffset: "3000000", .uploadComplete: "?1"]) == "finish without verdict")
    }

    @Test func anUploadThatIsGoneAfterItsTailHasAnUnknownOutcome() {
        for carrier in [UploadCarrier.ietf(.v8), .ietf(.v5), .tus] {
            var talk = Talk(.auto, point: 500, carrier, isTailSent: true)
            _ = talk.begin()
            #expect(talk.says(404) == "end 56")
            #expect(talk.lastError?.message.contains("the outcome is unknown") == true)
        }
    }

    @Test func anEmptyFileIsCreatedWhole() {
        var talk = Talk(.ietf, size: 0)
        #expect(talk.begin(.ietf(.v8, UploadLimits())) == "PUT /f v8 ?1 length=0 empty")
        #expect(talk.says(201) == "finish")
        talk = Talk(.tus, size: 0)
        #expect(talk.begin() == "POST / tus length=0 empty")
        #expect(talk.says(201, [.location: "/u"]) == "finish")
    }

    @Test func cancellationRemovesTheUpload() {
        #expect(Talk(.ietf, point: 5).machine.cancellation.map(Talk.words) == "DELETE /u v8")
        #expect(Talk(.tus, point: 5, .tus).machine.cancellation.map(Talk.words) == "DELETE /u tus")
        #expect(Talk(.tus).machine.cancellation == nil)
    }
}
