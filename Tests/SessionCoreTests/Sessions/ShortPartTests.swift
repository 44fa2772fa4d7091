// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
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
}
