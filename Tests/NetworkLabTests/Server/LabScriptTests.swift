// SPDX-License-Identifier: MIT

@testable import NetworkLab
import Testing
import TransferModel

/// What a connection does for a request, as values.
@Suite struct LabScriptTests {
    /// Steps in few words: what is sent by its first line or count.
    private func words(_ steps: [LabStep]) -> [String] {
        steps.map { step in
            switch step {
            case .send(let bytes):
                String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            case .sendBody(let range, let rate):
                "body \(range.lowerBound)..<\(range.upperBound)" + (rate.map { " at \($0)" } ?? "")
            case .receive(let limit, let rate):
                "receive" + (limit.map { " \($0)" } ?? "") + (rate.map { " at \($0)" } ?? "")
            case .wait(let seconds): "wait \(seconds)"
            default: "\(step)"
            }
        }
    }

    private func script(
        _ method: LabRequest.Method, _ query: String, _ change: (inout LabRequest) -> Void = { _ in }
    ) throws -> LabScript {
        var behaviour = LabBehaviour()
        behaviour.size = 1000
        try behaviour.apply(query: query)
        var request = LabRequest(method: method, query: query)
        if method == .upload { request.contentLength = 600 }
        change(&request)
        return LabScript(request: request, behaviour: behaviour)
    }

    @Test(arguments: [
        ("", ["HTTP/1.1 200 OK", "body 0..<1000", "next"]),
        ("wait-head=1", ["wait 1.0", "HTTP/1.1 200 OK", "body 0..<1000", "next"]),
        (
            "wait-first=1&wait-second=2",
            ["HTTP/1.1 200 OK", "wait 1.0", "body 0..<64", "wait 2.0", "body 64..<1000", "next"]
        ),
        ("lines=1&wait-second=2", ["HTTP/1.1 200 OK", "body 0..<64", "next"]),
        ("fault=reset", ["HTTP/1.1 200 OK", "body 0..<500", "reset"]),
        ("fault=reset&at=0", ["HTTP/1.1 200 OK", "body 0..<0", "reset"]),
        ("fault=reset&at=head", ["reset"]),
        ("fault=reset&at=9999", ["HTTP/1.1 200 OK", "body 0..<1000", "reset"]),
        ("fault=close", ["close"]),
        ("fault=close&at=10", ["HTTP/1.1 200 OK", "body 0..<10", "close"]),
        ("fault=truncate", ["HTTP/1.1 200 OK", "body 0..<500", "close"]),
        ("fault=stall&at=100&wait-second=1", ["HTTP/1.1 200 OK", "body 0..<64", "wait 1.0", "body 64..<100", "stall"]),
        ("fault=wrong-length", ["HTTP/1.1 200 OK", "body 0..<1000", "close"]),
        ("fault=garbage", ["\u{1}\u{2}these bytes are not HTTP", "close"]),
        ("fault=drip", ["HTTP/1.1 200 OK", "body 0..<1000 at 64", "next"]),
        ("rate=1k", ["HTTP/1.1 200 OK", "body 0..<1000 at 1024", "next"]),
        ("fault=401", ["HTTP/1.1 401 Unauthorized", "close"]),
        ("fault=407", ["HTTP/1.1 407 Proxy Authentication Required", "close"]),
        ("fault=429&wait-head=1", ["wait 1.0", "HTTP/1.1 429 Too Many Requests", "close"]),
        ("fault=503", ["HTTP/1.1 503 Service Unavailable", "close"]),
        ("fault=redirect-loop", ["HTTP/1.1 307 Temporary Redirect", "close"]),
        ("fault=redirect-loop&count=2&hop=1", ["HTTP/1.1 307 Temporary Redirect", "close"]),
        ("fault=redirect-loop&count=2&hop=2", ["HTTP/1.1 200 OK", "body 0..<1000", "next"]),
        ("fault=stop-reading", ["HTTP/1.1 400 Bad Request", "close"]),
        ("fault=1xx-storm", ["HTTP/1.1 103 Early Hints", "HTTP/1.1 200 OK", "body 0..<1000", "next"]),
    ])
    func respondsToReads(_ query: String, _ expected: [String]) throws {
        let script = try script(.get, query)
        #expect(words(script.opening) == ["receive", "answer"])
        #expect(words(script.answer(.lines(size: script.behaviour.size, version: 1))) == expected)
    }

    @Test(arguments: [
        ("", ["receive", "answer"]),
        ("rate=1k", ["receive at 1024", "answer"]),
        ("fault=drip", ["receive at 64", "answer"]),
        ("fault=reset", ["receive 300", "reset"]),
        ("fault=reset&at=head", ["receive", "answer"]),
        ("fault=close", ["receive", "answer"]),
        ("fault=close&at=5", ["receive 5", "close"]),
        ("fault=stall&at=5", ["receive 5", "stall"]),
        ("fault=stop-reading&at=5", ["receive 5", "stopReading"]),
        ("fault=early-answer&at=5", ["receive 5", "HTTP/1.1 413 Content Too Large", "close"]),
        ("fault=truncate&at=5", ["receive", "answer"]),
        ("fault=503", ["receive", "answer"]),
    ])
    func receptionOfUploads(_ query: String, _ expected: [String]) throws {
        #expect(words(try script(.upload, query).opening) == expected)
        let asking = try script(.upload, query) { $0.expectsContinue = true }
        let welcome = query == "fault=503" ? ["answer"] : ["HTTP/1.1 100 Continue"] + expected
        #expect(words(asking.opening) == welcome)
    }

    @Test(arguments: [
        ("", ["HTTP/1.1 200 OK", "body 0..<4", "next"]),
        (
            "wait-first=1&wait-second=2",
            ["HTTP/1.1 200 OK", "wait 1.0", "body 0..<2", "wait 2.0", "body 2..<4", "next"]
        ),
        ("fault=truncate", ["HTTP/1.1 200 OK", "body 0..<2", "close"]),
        ("fault=close", ["close"]),
        ("fault=reset&at=head", ["reset"]),
        ("fault=stop-reading&at=head", ["stall"]),
        ("fault=early-answer&at=head", ["HTTP/1.1 413 Content Too Large", "close"]),
    ])
    func respondsToUploads(_ query: String, _ expected: [String]) throws {
        #expect(words(try script(.upload, query).answer(.text(Array("a\nb\n".utf8)))) == expected)
    }

    private func head(_ steps: [LabStep]) -> String {
        if case .send(let bytes)? = steps.first { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    @Test func servesRangesWithTheirValidator() throws {
        let content = LabContent.lines(size: 1000, version: 1)
        func steps(_ ifRange: String?) throws -> [LabStep] {
            try script(.get, "") { ($0.range, $0.ifRange) = (.from(900), ifRange) }.answer(content)
        }
        for tag in [nil, content.entityTag] {
            #expect(head(try steps(tag)).contains("Content-Range: bytes 900-999/1000\r\n"))
            #expect(words(try steps(tag))[1] == "body 900..<1000")
        }
        #expect(words(try steps("\"other\""))[1] == "body 0..<1000")
        #expect(
            words(try script(.get, "") { $0.range = .from(1000) }.answer(content))[0]
                == "HTTP/1.1 416 Range Not Satisfiable")
        // The waits are those of the lines that are sent.
        let waiting = try script(.get, "wait-second=1") { $0.range = .from(100) }.answer(content)
        #expect(words(waiting)[1...] == ["body 100..<128", "wait 1.0", "body 128..<1000", "next"])
    }

    @Test func reportsInvalidHeads() throws {
        let content = LabContent.lines(size: 1000, version: 1)
        #expect(head(try script(.get, "fault=wrong-length&at=10").answer(content)).contains("Content-Length: 10\r\n"))
        #expect(head(try script(.get, "fault=truncate&at=10").answer(content)).contains("Content-Length: 1000\r\n"))
        #expect(head(try script(.get, "fault=429&retry-after=7").answer(content)).contains("Retry-After: 7\r\n"))
        #expect(
            head(try script(.get, "fault=redirect-loop&hop=4").answer(content)).contains(
                "Location: /file?fault=redirect-loop&hop=5\r\n"))
        let storm = head(try script(.get, "fault=1xx-storm&count=3").answer(content))
        #expect(storm.ranges(of: "HTTP/1.1 103").count == 3)
        let welcome = try script(.get, "fault=401") { $0.authorization = "Basic bGFiOmxhYg==" }.answer(content)
        #expect(words(welcome)[0] == "HTTP/1.1 200 OK")
        #expect(words(try script(.head, "").answer(content)) == ["HTTP/1.1 200 OK", "next"])
        #expect(words(try script(.other, "").answer(content))[0] == "HTTP/1.1 405 Method Not Allowed")
    }
}

@Suite struct AcceptScheduleTests {
    @Test func delaysEachAcceptance() {
        var schedule = AcceptSchedule(wait: 1)
        schedule.observe(pending: 1, at: 10)
        schedule.observe(pending: 3, at: 10.5)
        let first = [schedule.takeDue(at: 10.9), schedule.takeDue(at: 11)]
        #expect(first == [false, true])
        schedule.observe(pending: 2, at: 11.1)
        let rest = [11.4, 11.5, 11.5, 100].map { schedule.takeDue(at: $0) }
        #expect(rest == [false, true, true, false])
    }

    @Test func pacingHoldsItsRateThroughLateTimers() {
        var pacing = Pacing()
        var now = 0.0
        var bytes = 0
        while bytes < 6400 {
            if let delay = pacing.delay(at: now) { now += delay + 0.003 }
            pacing.moved(Pacing.piece(rate: 640), rate: 640, at: now)
            bytes += Pacing.piece(rate: 640)
        }
        #expect(abs(now - 9.9) < 0.01)
        var free = Pacing()
        free.moved(1_000_000, rate: nil, at: 0)
        #expect(free.delay(at: 0) == nil)
    }
}
