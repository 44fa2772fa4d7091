// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

/// Servers that limit what one response contains.
@Suite struct ShortPartTests {
    private static let content = Array("0123456789".utf8)

    /// Two bytes of the requested range, and the whole without one.
    private static func part(_ exchange: Exchange) -> FakeTransport.Answer {
        let first = exchange.fields[.range].flatMap { Int($0.filter(\.isNumber)) }
        guard let first else { return .init(200, [.eTag: "\"v\"", .contentLength: "10"], body: content) }
        let end = min(first + 2, content.count)
        return .init(
            206, [.eTag: "\"v\"", .contentRange: "bytes \(first)-\(end - 1)/10", .contentLength: "\(end - first)"],
            body: Array(content[first..<end]))
    }

    private func download(_ stage: Stage, _ recorder: Recorder, _ folder: TemporaryFolder) async throws {
        let file = try PartialFile(path: folder.write(Array(Self.content[..<5]), to: "part"))
        let point = ResumePoint(offset: 5, validator: Validator(entityTag: "\"v\""), total: 10)
        let task = stage.session.downloadTask(
            with: try request(), to: DownloadTarget(place: .partial(file), resume: point))
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
        #expect(try folder.read("part") == Self.content)
    }

    /// In the same task, which began where its first part did.
    @Test func requestsTheNextPartAtOnce() async throws {
        let (recorder, folder) = (Recorder(), try TemporaryFolder())
        let stage = Stage(delegate: recorder) { exchange, _ in Self.part(exchange) }
        try await download(stage, recorder, folder)
        #expect(stage.transport.exchanges.map { $0.fields[.range] } == ["bytes=5-", "bytes=7-", "bytes=9-"])
        #expect(stage.transport.exchanges.allSatisfy { $0.fields[.ifRange] == "\"v\"" })
        #expect(recorder.calls.filter { $0.contains("resumed at") }.count == 1)
    }

    /// The address of a redirect may expire between two parts.
    @Test func returnsToTheFirstAddress() async throws {
        let (recorder, folder) = (Recorder(), try TemporaryFolder())
        let stage = Stage(delegate: recorder) { exchange, number in
            switch exchange.url.path {
            case "/file": .init(302, [.location: "/signed\(number)"])
            case "/signed1" where number > 2: .init(403)
            default: Self.part(exchange)
            }
        }
        try await download(stage, recorder, folder)
        let paths = ["/file", "/signed1", "/signed1", "/file", "/signed4", "/signed4"]
        #expect(stage.transport.exchanges.map(\.url.path) == paths)
    }

    private static let point = ResumePoint(offset: 100, validator: Validator(entityTag: "\"v1\""), total: 300)

    private static func machine(_ role: TaskMachine.Role, _ point: ResumePoint? = nil) throws -> TaskMachine {
        var machine = TaskMachine(role: role, request: try request(), sendsBody: false, resume: point)
        _ = machine.begun(machine.resume())
        return machine
    }

    private func head(_ status: Int, _ fields: [(HTTPField.Name, String)]) -> HTTPResponse {
        var result = HTTPResponse(status: .init(code: status))
        for (name, value) in fields { result.headerFields.append(HTTPField(name: name, value: value)) }
        return result
    }

    /// A server may limit what one response contains; what it states is there is complete then.
    @Test func requestsWhatFollowsAShorterPart() throws {
        var machine = try Self.machine(.download(rewindable: true), Self.point)
        let first = head(206, [(.contentRange, "bytes 100-149/300"), (.eTag, "\"v1\"")])
        #expect(machine.headReceived(first) == .write(offset: 100, expectedEnd: 300))
        let next = machine.begun(machine.exchangeEnded(nil, received: 50))
        #expect(next?.resume?.offset == 150 && next?.resume?.validator == Self.point?.validator)
        let second = head(206, [(.contentRange, "bytes 150-199/300"), (.eTag, "\"v1\"")])
        #expect(machine.headReceived(second) == .write(offset: 150, expectedEnd: 300))
        guard case .finish(let error?) = machine.exchangeEnded(nil, received: 49) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .partialFile)
        #expect(error.fields.problem == TransferProblem(.shortBody, 49, 50))
    }

    /// Of several connections, each requests the rest of its own range.
    @Test(arguments: [false, true]) func aShorterPartOfARangeIsFollowedToItsEnd(_ rewindable: Bool) throws {
        var piece = try #require(Self.point)
        piece.end = 200
        func part(_ range: String, _ length: String) -> HTTPResponse {
            head(206, [(.contentRange, "bytes \(range)/300"), (.eTag, "\"v1\""), (.contentLength, length)])
        }
        var machine = try Self.machine(.download(rewindable: rewindable), piece)
        #expect(machine.headReceived(part("100-149", "50")) == .write(offset: 100, expectedEnd: 200))
        let next = machine.begun(machine.exchangeEnded(nil, received: 50))
        #expect(next?.resume?.offset == 150 && next?.resume?.end == 200)
        #expect(machine.headReceived(part("150-199", "50")) == .write(offset: 150, expectedEnd: 200))
        #expect(machine.exchangeEnded(nil, received: 50) == .finish(nil))
        // What lies behind belongs to others.
        var other = try Self.machine(.download(rewindable: rewindable), piece)
        #expect(other.headReceived(part("100-249", "150")) == .abort)
    }

    /// A file of bytes would make as many requests: after a while they come with the pauses of attempts.
    @Test func crumbsAreNotRequestedForEver() throws {
        var machine = try Self.machine(.download(rewindable: true), Self.point)
        for offset in 100..<200 {
            let part = head(206, [(.contentRange, "bytes \(offset)-\(offset)/300"), (.eTag, "\"v1\"")])
            #expect(machine.headReceived(part) == .write(offset: Int64(offset), expectedEnd: 300))
            #expect(machine.begun(machine.exchangeEnded(nil, received: 1)) != nil)
        }
        let part = head(206, [(.contentRange, "bytes 200-200/300"), (.eTag, "\"v1\"")])
        #expect(machine.headReceived(part) == .write(offset: 200, expectedEnd: 300))
        guard case .finish(let error?) = machine.exchangeEnded(nil, received: 1) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error.fields.problem == TransferProblem(.shortBody, 1, 100))
    }

    /// After its connection was given up.
    @Test func aDataTaskRequestsWhatFollowsAShorterPart() throws {
        var machine = try Self.machine(.data)
        #expect(machine.headReceived(head(200, [(.contentLength, "300"), (.eTag, "\"v1\"")])) == .deliver)
        #expect(machine.connectionLost() == .cancel)
        let back = machine.begun(machine.exchangeEnded(.cancelled, received: 100))
        #expect(back?.resume?.offset == 100)
        #expect(machine.headReceived(head(206, [(.contentRange, "bytes 100-149/300"), (.eTag, "\"v1\"")])) == .proceed)
        let next = machine.begun(machine.exchangeEnded(nil, received: 50))
        #expect(next?.resume?.offset == 150)
        #expect(machine.headReceived(head(206, [(.contentRange, "bytes 150-299/300"), (.eTag, "\"v1\"")])) == .proceed)
        #expect(machine.exchangeEnded(nil, received: 150) == .finish(nil))
    }
}
