// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// What a session does when the network under a download goes.
@Suite struct SessionOutageTests {
    private static let content = Array("0123456789".utf8)

    private struct Download {
        let stage: Stage
        let recorder = Recorder()
        let monitor = FakePathMonitor()
        let folder: TemporaryFolder
        let task: DownloadTask

        /// Gives five bytes and stops; `second` is the answer to the next exchange.
        init(_ second: FakeTransport.Answer) async throws {
            folder = try TemporaryFolder()
            let monitor = monitor
            stage = Stage(
                delegate: recorder,
                {
                    $0.pathMonitor = monitor
                    $0.waitsForConnectivity = true
                }
            ) { _, number in
                if number > 1 { return second }
                var fields = HTTPFields()
                fields[.eTag] = "\"v\""
                fields[.contentLength] = "10"
                var answer = FakeTransport.Answer(200, fields, body: Array(content[..<5]))
                answer.stalls = true
                return answer
            }
            task = stage.session.downloadTask(
                with: try request(),
                to: DownloadTarget(place: .partial(try PartialFile(path: folder.file("part")))))
            task.resume()
            #expect(await eventually { task.progress.received == 5 })
        }

        /// From now on the session is notified of changes.
        func watch() { stage.scheduler.advance(by: 1.1) }

        func returns() {
            monitor.set(FakePathMonitor.wired)
            monitor.fire(PathChange(available: ["eth0"]))
        }

        func arrives() async throws {
            #expect(await eventually { recorder.endCount(task) == 1 })
            #expect(recorder.error(task) == nil)
            #expect(try folder.read("part") == content)
            #expect(stage.transport.exchanges.map { $0.fields[.range] } == [nil, "bytes=5-"])
        }
    }

    private static var rest: FakeTransport.Answer {
        var fields = HTTPFields()
        fields[.contentRange] = "bytes 5-9/10"
        fields[.eTag] = "\"v\""
        return .init(206, fields, body: Array(content[5...]))
    }

    @Test func keepsTheConnectionUntilTheNetworkReturns() async throws {
        let download = try await Download(Self.rest)
        download.watch()
        download.monitor.set(FakePathMonitor.none)
        download.monitor.fire(PathChange(lost: ["eth0"]))
        #expect(download.stage.transport.countUnderWay == 1)
        #expect(download.stage.transport.exchanges.count == 1)
        download.returns()
        try await download.arrives()
    }

    /// The change came before anybody listened.
    @Test func detectsAnOutageInTheFirstSecond() async throws {
        let download = try await Download(Self.rest)
        download.monitor.set(FakePathMonitor.none)
        download.watch()
        download.returns()
        try await download.arrives()
    }

    @Test func leavesAConnectionWithoutItsAddress() async throws {
        let download = try await Download(Self.rest)
        var path = FakePathMonitor.wired
        path.sourceAddress = HostAddress("10.9.0.2")
        download.monitor.set(path)
        download.watch()
        // A change elsewhere moves nothing.
        download.monitor.fire(PathChange(available: ["eth1"], lost: ["eth1"]))
        #expect(download.stage.transport.exchanges.count == 1)
        path.sourceAddress = HostAddress("10.9.0.7")
        download.monitor.set(path)
        download.monitor.fire(PathChange(available: ["eth0"], lost: ["eth0"]))
        try await download.arrives()
    }

    /// The bytes that are there count, not those that the last accepted answer brought.
    @Test func failedAttemptsLoseNoBytes() async throws {
        let download = try await Download(.init(failure: .init(.transport(.cannotConnect, errno: 111))))
        download.watch()
        download.monitor.set(FakePathMonitor.none)
        download.monitor.fire(PathChange(lost: ["eth0"]))
        download.returns()
        #expect(await eventually { download.recorder.endCount(download.task) == 1 })
        #expect(download.recorder.error(download.task) != nil)
        #expect(download.task.resumePoint?.offset == 5)
    }

    /// The server ignored the range: the response goes to an empty file of its own, of which nothing has come yet. The
    /// bytes of the first file must not count for it.
    @Test func aWholeResponseWithoutBytesIsRequestedWholeAgain() async throws {
        let folder = try TemporaryFolder()
        let (monitor, recorder) = (FakePathMonitor(), Recorder())
        let stage = Stage(
            delegate: recorder,
            {
                $0.pathMonitor = monitor
                $0.waitsForConnectivity = true
            }
        ) { _, number in
            var fields = HTTPFields()
            fields[.eTag] = "\"v\""
            fields[.contentLength] = "10"
            fields[.acceptRanges] = "none"
            var answer = FakeTransport.Answer(200, fields, body: number == 1 ? [] : Self.content)
            answer.stalls = number == 1
            return answer
        }
        let first = try PartialFile(path: folder.write(Array(Self.content[..<5]), to: "first"))
        let second = try PartialFile(path: folder.file("second"))
        let point = ResumePoint(offset: 5, validator: Validator(entityTag: "\"v\""), total: 10)
        var target = DownloadTarget(place: .partial(first), resume: point)
        target.replacement = { second }
        let task = stage.session.downloadTask(with: try request(), to: target)
        task.resume()
        #expect(await eventually { task.response != nil })
        stage.scheduler.advance(by: 1.1)
        monitor.set(FakePathMonitor.none)
        monitor.fire(PathChange(lost: ["eth0"]))
        monitor.set(FakePathMonitor.wired)
        monitor.fire(PathChange(available: ["eth0"]))
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
        #expect(stage.transport.exchanges.map { $0.fields[.range] } == ["bytes=5-", nil])
        #expect(try folder.read("second") == Self.content)
        #expect(try folder.read("first") == Array(Self.content[..<5]))
    }

    /// A name that is found again may have another address.
    @Test func resolvesNamesAgainAfterAChange() async throws {
        let download = try await Download(Self.rest)
        download.watch()
        download.monitor.set(FakePathMonitor.none)
        download.monitor.fire(PathChange(lost: ["eth0"]))
        download.returns()
        try await download.arrives()
        #expect(download.stage.transport.exchanges.map(\.maximumNameAge) == [nil, 0])
    }
}
