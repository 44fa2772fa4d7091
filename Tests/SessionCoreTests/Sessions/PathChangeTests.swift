// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

private let up = PathChange(available: ["eth0"])
private let down = PathChange(lost: ["eth0"])

/// The network changes under a task that runs.
@Suite struct PathChangeTests {
    private static let content = Array("0123456789".utf8)
    private let monitor = FakePathMonitor()
    private let recorder = Recorder()

    private func stage(
        waits: Bool = true, _ configure: @escaping (inout TransferConfiguration) -> Void = { _ in }
    ) -> Stage {
        Stage(
            delegate: recorder,
            {
                $0.waitsForConnectivity = waits
                $0.pathMonitor = monitor
                configure(&$0)
            }
        ) { exchange, _ in
            if exchange.fields[.range] == "bytes=5-" {
                return .init(206, [.eTag: "\"v\"", .contentRange: "bytes 5-9/10"], body: Array(Self.content[5...]))
            }
            var answer = FakeTransport.Answer(
                200, [.eTag: "\"v\"", .contentLength: "10"], body: Array(Self.content[..<5]))
            answer.stalls = true
            return answer
        }
    }

    private func start(_ task: TransferTask, _ stage: Stage) async {
        task.resume()
        #expect(await eventually { task.progress.received == 5 })
        // After the first second the session is notified of changes.
        stage.scheduler.advance(by: 1)
        #expect(monitor.observerCount == 1)
    }

    private func isWaiting(_ stage: Stage, _ task: TransferTask) async -> Bool {
        await eventually { stage.waiting == [task.identifier] }
    }

    @Test func downloadsResumeAtTheSameByte() async throws {
        let folder = try TemporaryFolder()
        let stage = stage()
        let task = stage.session.downloadTask(
            with: try request(), to: DownloadTarget(place: .partial(try PartialFile(path: folder.file("part")))))
        await start(task, stage)
        monitor.set(FakePathMonitor.none)
        monitor.fire(down)
        #expect(await isWaiting(stage, task))
        // Held, not closed: without a network closing would only spoil the next connection.
        #expect(stage.transport.countUnderWay == 1)
        #expect(task.state == .running)
        monitor.set(FakePathMonitor.wired)
        monitor.fire(up)
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
        #expect(try folder.read("part") == Self.content)
        #expect(stage.transport.exchanges.last?.fields[.ifRange] == "\"v\"")
        #expect(recorder.calls.contains("resumed at 5"))
        // Connections of the network before are not used again.
        #expect(stage.transport.exchanges.first?.maximumConnectionAge == nil)
        #expect(stage.transport.exchanges.last?.maximumConnectionAge != nil)
    }

    @Test func dataTasksResumeToo() async throws {
        let stage = stage()
        let task = stage.session.dataTask(with: try request())
        await start(task, stage)
        monitor.set(FakePathMonitor.none)
        monitor.fire(down)
        #expect(await isWaiting(stage, task))
        monitor.set(FakePathMonitor.wired)
        monitor.fire(up)
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(
            recorder.calls == [
                "response 200", "data 5", "waits", "wait: no network interface is up", "no wait", "data 5", "metrics",
                "complete ok",
            ])
    }

    @Test func holdsTasksThatCannotResume() async throws {
        let stage = stage()
        let task = stage.session.uploadTask(with: try request("http://a.test/up", .post), body: .bytes([1]))
        await start(task, stage)
        monitor.set(FakePathMonitor.none)
        monitor.fire(down)
        #expect(await eventually { task.wait != nil })
        stage.transport.shutDown()
        #expect(stage.transport.countUnderWay == 1)
        monitor.set(FakePathMonitor.wired)
        monitor.fire(up)
        #expect(task.wait == nil)
        #expect(stage.transport.exchanges.count == 1)
        task.cancel()
    }

    @Test(arguments: WaitingTests.constraints) func leavesANewlyRestrictedNetwork(
        _ constraint: WaitingTests.Constraint
    ) async throws {
        let stage = stage(constraint.forbid)
        let task = stage.session.downloadTask(with: try request())
        await start(task, stage)
        monitor.set(FakePathMonitor.through(constraint.interface))
        monitor.fire(PathChange(hasNewCosts: true))
        #expect(await isWaiting(stage, task))
        #expect(stage.transport.countUnderWay == 0)
        #expect(task.wait?.unavailableReason == constraint.reason)
        task.liftRestrictions()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
        #expect(stage.transport.exchanges.count == 2)
    }

    @Test(arguments: WaitingTests.constraints) func failsThereWithoutWaiting(
        _ constraint: WaitingTests.Constraint
    ) async throws {
        let stage = stage(waits: false, constraint.forbid)
        let task = stage.session.downloadTask(with: try request())
        await start(task, stage)
        monitor.set(FakePathMonitor.through(constraint.interface))
        monitor.fire(PathChange(hasNewCosts: true))
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task)?.fields.networkUnavailableReason == constraint.reason.rawValue)
        #expect(!recorder.calls.contains("waits"))
    }

    /// A connection survives a short gap; a task that does not wait is not made to.
    @Test func continuesWithoutWaitingOnALostNetwork() async throws {
        let stage = stage(waits: false)
        let task = stage.session.downloadTask(with: try request())
        await start(task, stage)
        monitor.set(FakePathMonitor.none)
        monitor.fire(down)
        stage.transport.shutDown()
        await stage.drain()
        #expect(stage.transport.countUnderWay == 1)
        #expect(recorder.endCount(task) == 0)
        #expect(task.wait == nil)
        task.cancel()
    }

    @Test func reevaluatesThePathOnResume() async throws {
        let constraint = WaitingTests.constraints[1]
        let stage = stage(constraint.forbid)
        let task = stage.session.downloadTask(with: try request())
        await start(task, stage)
        task.suspend()
        monitor.set(FakePathMonitor.through(constraint.interface))
        monitor.fire(PathChange(hasNewCosts: true))
        #expect(stage.transport.countUnderWay == 1)
        task.resume()
        #expect(await isWaiting(stage, task))
        #expect(task.wait?.unavailableReason == .expensive)
        task.cancel()
    }

    @Test func releasesTheObserverWithTheSession() async throws {
        do {
            let stage = stage()
            let task = stage.session.dataTask(with: try request())
            await start(task, stage)
            task.cancel()
            #expect(await eventually { stage.session.tasks.isEmpty })
        }
        #expect(await eventually { monitor.observerCount == 0 })
    }
}
