// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// The engine's thread, on which sessions decide.
@Suite(.timeLimit(.minutes(5))) struct EngineExecutorTests {
    @Test func executesInOrderAcrossTheEnginesEnd() async throws {
        let transport = try CurlTransport()
        let executor = transport.executor
        let seen = Mutex<[Int]>([])
        let count = 20_000
        DispatchQueue.global().async {
            for number in 0..<count {
                executor.post {
                    executor.checkIsolated()
                    seen.withLock { $0.append(number) }
                }
            }
        }
        #expect(await eventually { seen.withLock { !$0.isEmpty } })
        transport.shutDown()
        #expect(await eventually { seen.withLock { $0.count } == count })
        #expect(seen.withLock { $0 } == Array(0..<count))
    }

    @Test func tasksEndAfterTheEngine() async throws {
        let transport = try CurlTransport()
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        let session = TransferSession(configuration: configuration, transport: transport)
        let request = TransferRequest(url: try TransferURL("http://127.0.0.1:9/"))
        let cancelled = session.dataTask(with: request)
        transport.shutDown()
        let late = session.dataTask(with: request)
        late.resume()
        cancelled.cancel()
        #expect(cancelled.state == .canceling || cancelled.state == .completed)
        #expect(await eventually { late.state == .completed && cancelled.state == .completed })
        #expect(await eventually { late.error == .cancelled && cancelled.error == .cancelled })
    }

    /// A program reads the state that it has requested, whether or not the engine has applied it.
    @Test func callsChangeTheStateImmediately() async throws {
        let transport = try CurlTransport()
        let session = TransferSession(transport: transport)
        let gate = DispatchSemaphore(value: 0)
        transport.executor.post { gate.wait() }
        let request = TransferRequest(url: try TransferURL("http://127.0.0.1:9/"))
        let task = session.dataTask(with: request)
        #expect(task.state == .suspended)
        task.resume()
        #expect(task.state == .running)
        task.suspend()
        task.suspend()
        task.resume()
        #expect(task.state == .suspended)
        task.cancel()
        #expect(task.state == .canceling)
        gate.signal()
        #expect(await eventually { task.state == .completed })
        transport.shutDown()
    }
}
