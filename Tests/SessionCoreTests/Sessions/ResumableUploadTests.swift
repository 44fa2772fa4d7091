// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Synchronization
import Testing
import TransferModel
import TransferTesting

@testable import SessionCore

/// Uploads of several exchanges as one task: what is sent, and what the program is notified of.
@Suite(.timeLimit(.minutes(10))) struct ResumableUploadTests {
    private static let bytes = patternedBytes(2_000_000)
    private static let announced = FakeTransport.Answer(204, [.uploadLimit: "max-append-size=1500000"])

    private func stage(
        _ resumption: UploadResumption, _ delegate: Recorder? = nil,
        answer: @escaping @Sendable (Exchange, Int) -> FakeTransport.Answer
    ) -> Stage {
        Stage(delegate: delegate, { $0.uploadResumption = resumption }, answer: answer)
    }

    /// `PATCH 1500000+500000`: the content, counted from the first byte of what is uploaded.
    private func words(_ stage: Stage) -> [String] {
        stage.transport.exchanges.map { exchange in
            let start = exchange.fields[.uploadOffset]
            return switch exchange.body {
            case .none: exchange.method.rawValue
            case .bytes(let bytes): "\(exchange.method.rawValue) \(start.map { $0 + "+" } ?? "")\(bytes.count)"
            case .file(_, let offset, let count): "\(exchange.method.rawValue) \(offset)+\(count)"
            case .stream: "\(exchange.method.rawValue) stream"
            }
        }
    }

    @Test func oneTaskSendsEveryPart() async throws {
        let recorder = Recorder()
        let stage = stage(.auto, recorder) { exchange, number in
            switch number {
            case 1: Self.announced
            case 2: .init(201, [.location: "/u"])
            case 3: .init(204, [.uploadOffset: "1500000", .uploadComplete: "?0"])
            default: .init(200, [.uploadComplete: "?1"], body: [1, 2, 3])
            }
        }
        let task = stage.session.uploadTask(with: try request("http://a.test/file", .put), body: .bytes(Self.bytes))
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(words(stage) == ["OPTIONS", "PUT 0", "PATCH 0+1500000", "PATCH 1500000+500000"])
        #expect(stage.transport.exchanges.map(\.closesConnection) == [true, false, false, false])
        #expect(stage.transport.exchanges.allSatisfy { !$0.needsFreshConnection })
        #expect(stage.transport.exchanges.map(\.sendsBodyOnce) == [false, false, true, true])
        #expect(stage.transport.exchanges.map(\.url.target) == ["/file", "/file", "/u", "/u"])
        // One response, one end, and counts of the whole.
        #expect(
            recorder.calls == [
                "sent 1500000", "sent 2000000", "response 200", "data 3", "metrics", "complete ok",
            ])
        #expect(task.response?.status.code == 200 && task.resumeData == nil && task.error == nil)
        #expect(task.progress.sent == 2_000_000 && task.progress.expectedToSend == 2_000_000)
    }

    @Test func anAppendOnAClosedConnectionIsNoFailure() async throws {
        let stage = stage(.auto) { _, number in
            switch number {
            case 1: Self.announced
            case 2: .init(201, [.location: "/u"])
            case 3: .init(failure: ExchangeFailure(.transport(.noResponse)))
            case 4: .init(204, [.uploadOffset: "0", .uploadComplete: "?0"])
            case 5: .init(204, [.uploadOffset: "1500000", .uploadComplete: "?0"])
            default: .init(201, [.uploadComplete: "?1"])
            }
        }
        let task = try await upload(stage)
        #expect(task.error == nil && task.response?.status.code == 201)
        #expect(
            words(stage) == ["OPTIONS", "PUT 0", "PATCH 0+1500000", "HEAD", "PATCH 0+1500000", "PATCH 1500000+500000"])
    }

    /// A request that is not idempotent, and no append.
    @Test func otherRequestsHaveAConnectionOfTheirOwn() async throws {
        let stage = stage(.tus) { _, number in
            number == 1 ? .init(201, [.location: "/u"]) : .init(204, [.uploadOffset: "2000000"])
        }
        _ = try await upload(stage)
        let exchanges = stage.transport.exchanges
        #expect(exchanges.map(\.needsFreshConnection) == [true, false])
        #expect(exchanges.map(\.sendsBodyOnce) == [false, true])
    }

    @Test func fieldsOfTheFileGoToItsTargetAlone() async throws {
        let stage = stage(.auto) { _, number in
            number == 1 ? Self.announced : number == 2 ? .init(201, [.location: "/u"]) : .init(201)
        }
        var given = try request("http://a.test/file", .put)
        given.options.headers = [
            HTTPField(name: .contentType, value: "text/plain"), HTTPField(name: .ifNoneMatch, value: "*"),
            HTTPField(name: .init("X-Own")!, value: "1"),
        ]
        let task = stage.session.uploadTask(with: given, body: .bytes(patternedBytes(1 << 20)))
        task.resume()
        #expect(await eventually { task.state == .completed })
        let exchanges = stage.transport.exchanges
        try #require(exchanges.count == 3)
        #expect(exchanges[1].fields[.contentType] == "text/plain" && exchanges[1].fields[.ifNoneMatch] == "*")
        #expect(exchanges[2].fields[.contentType] == "application/partial-upload")
        #expect(exchanges[2].fields[.ifNoneMatch] == nil)
        #expect(exchanges.allSatisfy { $0.fields[.init("X-Own")!] == "1" })
    }

    @Test func serversWithoutAProtocolAreAskedOnce() async throws {
        let stage = stage(.auto) { exchange, _ in exchange.method == .options ? .init(405) : .init(201) }
        for _ in 0..<2 {
            let task = stage.session.uploadTask(with: try request("http://a.test/f", .put), body: .bytes(Self.bytes))
            task.resume()
            #expect(await eventually { task.state == .completed })
            #expect(task.error == nil && task.resumeData == nil)
        }
        #expect(words(stage) == ["OPTIONS", "OPTIONS", "PUT 2000000", "PUT 2000000"])
    }

    private func upload(_ stage: Stage) async throws -> UploadTask {
        let task = stage.session.uploadTask(with: try request("http://a.test/f", .put), body: .bytes(Self.bytes))
        task.resume()
        #expect(await eventually { task.state == .completed })
        return task
    }

    @Test func whatAServerAnnouncesIsValidForAWhile() async throws {
        let stage = stage(.auto) { exchange, _ in exchange.method == .options ? .init(405) : .init(201) }
        for seconds in [0.0, 899, 1, 899] {
            stage.scheduler.advance(by: seconds)
            _ = try await upload(stage)
        }
        // The target, and its folder.
        let asked = ["OPTIONS", "OPTIONS", "PUT 2000000", "PUT 2000000"]
        #expect(words(stage) == asked + asked)
    }

    /// The server may have another limit by then.
    @Test func aServerIsAskedAgainAfterAFailureForItsLimit() async throws {
        let stage = stage(.auto) { exchange, number in
            switch exchange.method {
            case .options: .init(204, [.uploadLimit: number == 1 ? "max-size=1000" : "min-size=0"])
            case .put: .init(201, [.location: "/u"])
            default: .init(201)
            }
        }
        #expect(try await upload(stage).error?.code == .httpStatus)
        #expect(try await upload(stage).error == nil)
        #expect(words(stage) == ["OPTIONS", "OPTIONS", "PUT 0", "PATCH 0+2000000"])
    }

    /// A status is a response, not an error; whether the upload can continue is in its data.
    @Test(arguments: [(403, false), (503, true), (423, true)])
    func refusalsAreResponses(_ status: Int, _ continues: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.bytes, to: "file")
        let stage = stage(.auto) { _, number in
            number == 1 ? Self.announced : number == 2 ? .init(201, [.location: "/u"]) : .init(status, body: [9])
        }
        let task = stage.session.uploadTask(with: try request("http://a.test/file", .put), body: .file(path: path))
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.response?.status.code == status && task.error == nil)
        #expect((task.resumeData != nil) == continues)
    }

    @Test(arguments: [("1500001", "confirms 1500001 bytes"), ("x", "")])
    func foolishOffsetsEndIt(_ offset: String, _ words: String) async throws {
        let stage = stage(.auto) { _, number in
            switch number {
            case 1: Self.announced
            case 2: .init(201, [.location: "/u"])
            default: .init(number == 3 ? 204 : 201, [.uploadOffset: offset])
            }
        }
        let task = stage.session.uploadTask(with: try request("http://a.test/file", .put), body: .bytes(Self.bytes))
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.error?.message.contains(words) ?? words.isEmpty, "\(task.error as Any)")
    }

    @Test func tusCreatesInTheFolderOfAPUT() async throws {
        let stage = stage(.tus) { _, number in
            number == 1 ? .init(201, [.location: "/u"]) : .init(204, [.uploadOffset: "2000000"])
        }
        let task = stage.session.uploadTask(
            with: try request("http://a.test/folder/name", .put), body: .bytes(Self.bytes))
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(stage.transport.exchanges.map(\.url.target) == ["/folder/", "/u"])
        #expect(task.error == nil && task.response?.status.code == 204)
    }

    @Test func damagedDataIsReported() throws {
        let lying = UploadResumeData(
            url: "http://a.test/", method: "PUT", filePath: "/a",
            source: .init(inode: 1, size: -1, seconds: 0, nanoseconds: 0),
            point: UploadPoint(.tus, url: "http://a.test/u", target: "http://a.test/"))
        let texts = ["", "{}", #"{"version":2}"#, #"{"version":1,"url":"http://a.test/"}"#]
        for data in texts.map({ Data($0.utf8) }) + [lying.encoded()] {
            #expect(throws: TransferError.self) { try UploadResumeData(decoding: data) }
        }
    }
}
