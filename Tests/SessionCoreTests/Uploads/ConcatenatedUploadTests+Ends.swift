// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel
import TransferTesting

@testable import SessionCore

/// The request that joins the parts, and what is stored of them.
extension ConcatenatedUploadTests {
    private var joining: String { "commit POST / tus empty " + PartTalk.concatenation }

    // MARK: A lost response

    /// A server that keeps the parts may have joined them.
    @Test func aLostResponseIsNoSecondFile() {
        var talk = PartTalk.complete()
        #expect(talk.breaks() == "failed")
        #expect(talk.begin() == "HEAD /0 tus")
        #expect(talk.states(8) == "HEAD /1 tus")
        _ = talk.states(8)
        _ = talk.states(8)
        #expect(talk.states(8) == "failed")
        #expect(talk.lastError?.fields.variant == .outcomeUnknown)
        // The parts stay, for a user who knows that it is not stored.
        #expect(talk.machine.point?.isTailSent == false)
        _ = talk.begin()
        for _ in 0..<3 { _ = talk.states(8) }
        #expect(talk.states(8) == joining)
    }

    @Test func aLaterProcessKnowsThatItWasSent() {
        var talk = PartTalk.resumed([8, 8, 8, 8], isTailSent: true)
        _ = talk.begin()
        for _ in 0..<3 { _ = talk.states(8) }
        #expect(talk.states(8) == "failed")
        #expect(talk.lastError?.fields.variant == .outcomeUnknown)
        // Parts that are incomplete were not joined.
        #expect(!PartTalk.resumed([8, 8, 8, 7], isTailSent: true).machine.isJoinSent)
    }

    /// It says so in the responses about the parts: nothing has to be known of the time before.
    @Test func aServerThatStoresTheSamePartsOnceIsAskedAgain() {
        var talk = PartTalk.resumed([8, 8, 8, 8], isTailSent: true)
        let state: HTTPFields = [
            .uploadOffset: String(PartTalk.length), .tusExtension: "concatenation,\(Tus.repeatableConcatenation)",
        ]
        /// A new attempt, up to the request that joins the parts.
        func joins() -> String {
            _ = talk.begin()
            for _ in 0..<3 { _ = talk.says(200, state) }
            return talk.says(200, state)
        }
        // Until a response comes, it counts as sent: parts that are gone by then were joined.
        for again in [
            { talk.breaks() }, { talk.breaks(TransferError(.cannotConnect, "")) }, { talk.says(503) },
            { talk.says(504) },
        ] as [() -> String] {
            #expect(joins() == joining)
            #expect(again() == "failed")
            #expect(talk.machine.point?.isTailSent == true)
        }
        #expect(joins() == joining)
        talk.machine.withheld()
        #expect(talk.machine.point?.isTailSent == true)
        #expect(joins() == joining)
        #expect(talk.says(201) == "finish")
        // The target refuses what is not joined yet.
        talk = .resumed([8, 8, 8, 8], isTailSent: true)
        #expect(joins() == joining)
        #expect(talk.says(412) == "failed")
        #expect(talk.lastError?.fields.status == 412 && talk.machine.point?.isTailSent == false)
    }

    /// One without the parts can only repeat its response.
    @Test func aServerWithoutThePartsIsAskedAgain() {
        for answered in [true, false] {
            var talk = PartTalk.complete()
            _ = talk.breaks()
            _ = talk.begin()
            #expect(talk.says(404) == "HEAD /1 tus")
            _ = talk.states(8)
            _ = talk.says(410)
            #expect(talk.says(404) == joining)
            guard !answered else {
                #expect(talk.says(201) == "finish")
                continue
            }
            #expect(talk.says(400) == "end")
            #expect(talk.lastError?.fields.variant == .outcomeUnknown)
            #expect(talk.machine.point == nil && talk.machine.cancellations.isEmpty)
        }
    }

    @Test func whatDidNotReachTheServerIsSentAgain() {
        for error in [TransferError(.cannotConnect, ""), TransferError(.hostNotResolved, "")] {
            var talk = PartTalk.complete()
            #expect(talk.breaks(error) == "failed")
            #expect(talk.machine.point?.isTailSent == false)
        }
        for (status, isTailSent) in [(502, true), (504, true), (500, false), (503, false)] {
            var talk = PartTalk.complete()
            #expect(talk.says(status) == "failed")
            #expect(talk.machine.point?.isTailSent == isTailSent, "\(status)")
        }
        var talk = PartTalk.complete()
        #expect(talk.says(423) == "busy")
        #expect(talk.machine.point?.isTailSent == false)
    }

    /// As the page of a login that a redirect led to.
    @Test func aPageIsNoVerdict() {
        var talk = PartTalk.complete()
        #expect(talk.says(200) == "failed")
        #expect(talk.lastError?.code == .sendFailed && talk.machine.point?.isTailSent == true)
        talk = PartTalk.complete()
        #expect(talk.says(200, [.location: "/all"]) == "finish")
    }

    /// Paused before it was sent.
    @Test func whatWasNotSentIsSent() {
        var talk = PartTalk.complete()
        talk.machine.withheld()
        #expect(talk.machine.point?.isTailSent == false)
        _ = talk.begin()
        for _ in 0..<3 { _ = talk.states(8) }
        #expect(talk.states(8) == joining)
    }

    /// A server that fails after it has joined the parts may have removed them.
    @Test func partsThatAreGoneAfterAnErrorAreNotSentAgain() {
        var talk = PartTalk.complete()
        #expect(talk.says(500) == "failed")
        _ = talk.begin()
        for _ in 0..<3 { _ = talk.says(404) }
        #expect(talk.says(404) == joining)
        #expect(talk.says(404) == "end")
        #expect(talk.lastError?.fields.variant == .outcomeUnknown)
    }

    // MARK: Refusals

    /// Those that are not complete, or gone, are sent again.
    @Test func refusedPartsAreLookedAt() {
        var talk = PartTalk.complete()
        #expect(talk.says(400) == "HEAD /0 tus")
        _ = talk.states(8)
        #expect(talk.says(404) == "POST / tus length=8388608 empty partial")
    }

    /// The parts stay: when the reason is gone, nothing but this request is repeated.
    /// As of a folder that is not there.
    @Test(arguments: [400, 404, 409, 410]) func partsThatAreAllThereAreLookedAtOnce(_ status: Int) {
        var talk = PartTalk.complete()
        #expect(talk.says(status) == "HEAD /0 tus")
        for _ in 0..<3 { _ = talk.states(8) }
        #expect(talk.states(8) == joining)
        #expect(talk.says(status) == "failed")
        #expect(talk.lastError?.fields.status == status)
        #expect(talk.machine.point?.parts?.count == 4 && talk.machine.point?.isTailSent == false)
    }

    @Test(arguments: [403, 412, 413, 422]) func aTargetThatRefusesKeepsTheParts(_ status: Int) {
        var talk = PartTalk.complete()
        #expect(talk.says(status) == "failed")
        #expect(talk.machine.point?.offset == 32 << 20 && talk.machine.point?.isTailSent == false)
        #expect(talk.machine.cancellations.count == 4)
    }

    // MARK: What is stored

    @Test func partsOfAnotherFileAreNotUsed() {
        func point(_ lengths: [Int64], offset: Int64 = 0, url: String? = "http://host.test/0") -> UploadPoint {
            var point = UploadPoint(.tus, url: "http://host.test/0", target: "http://host.test/f")
            point.parts = lengths.map { UploadPoint.Part(url: url, length: $0, offset: offset) }
            return point
        }
        let half: Int64 = 16 << 20
        #expect(PartTalk(point: point([half, half])).machine.point?.parts?.count == 2)
        let others = [
            point([half]), point([half, half, 1]), point([half, half - 1]), point([32 << 20, 0]), point([]),
            point([.max, .max]), point([half, half], offset: half + 1), point([half, half], offset: -1),
            point([half, half], url: "ftp://host.test/0"), point([half, half], url: nil),
            point([half, half], url: "no URL"), point([Int64](repeating: 1 << 20, count: 32)),
        ]
        for other in others {
            var talk = PartTalk(point: other)
            #expect(talk.machine.point == nil)
            #expect(talk.begin() == "POST / tus length=8388608 empty partial")
        }
        // Nor by the machine of uploads without parts.
        let target = talkTarget
        let whole = ResumableUpload(
            UploadSubject(target: target, method: .put, name: "f", size: 32 << 20), .tus, point: point([half, half]))
        #expect(whole.point == nil)
    }

    private var talkTarget: TransferURL { PartTalk().machine.subject.target }

    // MARK: Any course

    /// Connections break at random: no confirmed byte is sent twice, and nothing is joined that is incomplete.
    @Test(arguments: [UInt64](1...200)) func anyCourseSendsEachConfirmedByteOnce(_ seed: UInt64) {
        var random = SeededRandom(seed)
        var talk = PartTalk()
        var stored: [String: Int64] = [:]
        var running: [Int: UploadExchange] = [:]
        var created = 0

        /// What the server makes of a request, and the response; `nil`: the connection breaks.
        func serve(_ exchange: UploadExchange) -> (Int, HTTPFields)? {
            let path = exchange.url.target
            let breaks = random.once(in: 4)
            switch exchange.method {
            case .post where exchange.purpose == .completion:
                #expect(stored.values.reduce(0, +) == 32 << 20)
                return (201, [:])
            case .post:
                guard !breaks else { return nil }
                created += 1
                stored["/p\(created)"] = 0
                return (201, [.location: "/p\(created)"])
            case .head: return breaks ? nil : (200, [.uploadOffset: String(stored[path] ?? -1)])
            default:
                #expect(exchange.fields[.uploadOffset] == stored[path].map { String($0) })
                let count = Int64(exchange.body?.count ?? 0)
                stored[path, default: 0] += breaks ? Int64.random(in: 0...count, using: &random) : count
                return breaks ? nil : (204, [.uploadOffset: String(stored[path] ?? -1)])
            }
        }
        func reply(_ exchange: UploadExchange) -> UploadReply {
            let target = talk.machine.subject.target
            guard let (status, fields) = serve(exchange) else {
                return UploadReply(nil, from: target, error: TransferError(.receiveFailed, "broken"))
            }
            return UploadReply(HTTPResponse(status: .init(code: status), headerFields: fields), from: target)
        }

        var step = talk.machine.begin(knowing: PartTalk.joins)
        var isDone = false
        for _ in 0..<2000 where !isDone {
            if case .join(let number) = step, let exchange = running.removeValue(forKey: number) {
                step = .send(exchange)
            }
            switch step {
            case .send(let exchange), .commit(let exchange):
                while !random.once(in: 3), let (number, next) = talk.machine.beside() { running[number] = next }
                if random.once(in: 2), let (number, next) = running.min(by: { $0.key < $1.key }) {
                    running[number] = nil
                    _ = talk.machine.ended(beside: number, reply(next))
                } else {
                    step = talk.machine.ended(reply(exchange))
                }
            case .failed:
                for number in running.keys { talk.machine.forget(beside: number) }
                running = [:]
                step = talk.machine.begin(knowing: PartTalk.joins)
            case .finish: isDone = true
            default:
                Issue.record("\(step)")
                return
            }
        }
        #expect(isDone)
    }
}
