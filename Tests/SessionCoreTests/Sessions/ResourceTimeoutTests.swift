// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

/// The whole of a task has a limit: waiting counts, suspension does not.
@Suite struct ResourceTimeoutTests {
    private func stage(_ configure: (inout TransferConfiguration) -> Void = { _ in }) -> (Stage, Recorder) {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) {
            $0.resourceTimeout = 30
            configure(&$0)
        } answer: { _, _ in
            var answer = FakeTransport.Answer(200, [.contentLength: "10"], body: [1, 2, 3])
            answer.stalls = true
            return answer
        }
        return (stage, recorder)
    }

    @Test func startsWithTheFirstResume() async throws {
        let (stage, recorder) = stage()
        let task = stage.session.dataTask(with: try request())
        stage.scheduler.advance(by: 1000)
        await stage.drain()
        #expect(task.state == .suspended)
        task.resume()
        #expect(await eventually { task.progress.received == 3 })
        stage.scheduler.advance(by: 29)
        await stage.drain()
        #expect(recorder.endCount(task) == 0)
        stage.scheduler.advance(by: 1)
        #expect(await eventually { recorder.endCount(task) == 1 })
        let error = try #require(recorder.error(task))
        #expect(error.code == .timedOut)
        #expect(error.message == "a.test: resource timeout: not done within 30 s (3 bytes received, 0 sent)")
    }

    @Test func itStandsStillWhileSuspended() async throws {
        let (stage, recorder) = stage()
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { task.progress.received == 3 })
        stage.scheduler.advance(by: 20)
        task.suspend()
        stage.scheduler.advance(by: 1000)
        await stage.drain()
        #expect(recorder.endCount(task) == 0)
        task.suspend()
        task.resume()
        stage.scheduler.advance(by: 1000)
        task.resume()
        stage.scheduler.advance(by: 9)
        await stage.drain()
        #expect(recorder.endCount(task) == 0)
        stage.scheduler.advance(by: 1)
        #expect(await eventually { recorder.error(task)?.code == .timedOut })
    }

    @Test func countsNetworkWaits() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) {
            $0.resourceTimeout = 30
            $0.waitsForConnectivity = true
            $0.pathMonitor = FakePathMonitor(path: FakePathMonitor.none)
        } answer: { _, _ in
            .init(failure: .init(.transport(.cannotConnect, errno: 101)))
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { task.wait != nil })
        stage.scheduler.advance(by: 31)
        #expect(await eventually { recorder.error(task)?.message.contains("resource timeout") == true })
    }

    /// What cannot be bound to an interface waits for that, and says so.
    @Test(arguments: [true, false]) func reportsAMissingInterface(_ waits: Bool) async throws {
        let monitor = FakePathMonitor()
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) {
            $0.waitsForConnectivity = waits
            $0.pathMonitor = monitor
        } answer: { _, number in
            number == 1
                ? .init(
                    failure: .init(
                        .transport(.interfaceUnavailable, errno: 19), detail: "Couldn't bind to interface 'eth9'"))
                : .init(200)
        }
        let task = stage.session.dataTask(with: try request { $0.interface = "eth9" })
        task.resume()
        guard waits else {
            #expect(await eventually { recorder.endCount(task) == 1 })
            #expect(recorder.error(task)?.code == .interfaceUnavailable)
            #expect(
                recorder.error(task)?.message
                    == "a.test: Couldn't bind to interface 'eth9' (interface eth9 does not exist)")
            return
        }
        #expect(await eventually { task.wait?.message == "interface eth9 does not exist" })
        let interface = NetworkInterface(name: "eth9", kind: .wired)
        monitor.set(FakePathMonitor.through(interface))
        task.driver?.post { $0.pathChanged(hasLost: false, stage.session) }
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
        #expect(stage.transport.exchanges.last?.interface == "if!eth9")
    }
}
