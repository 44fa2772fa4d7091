// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

private let unreachable = FakeTransport.Answer(failure: ExchangeFailure(.transport(.cannotConnect, errno: 101)))
private let wifi = NetworkInterface(name: "wlan0", kind: .wifi)
private let up = PathChange(available: ["eth0"])

/// Waiting for a network that can carry a task.
@Suite struct WaitingTests {
    private let monitor = FakePathMonitor(path: FakePathMonitor.none)
    private let recorder = Recorder()

    private func stage(
        waits: Bool = true, _ configure: @escaping (inout TransferConfiguration) -> Void = { _ in },
        answer: @escaping @Sendable (Exchange, Int) -> FakeTransport.Answer
    ) -> Stage {
        Stage(
            delegate: recorder,
            {
                $0.waitsForConnectivity = waits
                $0.pathMonitor = monitor
                configure(&$0)
            }, answer: answer)
    }

    private func isWaiting(_ stage: Stage, _ task: TransferTask) async -> Bool {
        await eventually { stage.waiting == [task.identifier] }
    }

    // MARK: No network

    @Test func waitsAndResumesWithTheNetwork() async throws {
        let stage = stage { _, number in number == 1 ? unreachable : .init(200, body: [1]) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        #expect(task.state == .running)
        #expect(task.wait?.message == "no network interface is up")
        #expect(task.wait?.canBeLifted == false)
        monitor.set(FakePathMonitor.wired)
        monitor.fire(up)
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(
            recorder.calls == [
                "waits", "wait: no network interface is up", "no wait", "response 200", "data 1", "metrics",
                "complete ok",
            ])
        #expect(task.wait == nil)
    }

    /// A task with a closure reports nothing else to the session's delegate.
    @Test func aTaskWithAClosureReportsToTheDelegateThatItWaits() async throws {
        let stage = stage { _, number in number == 1 ? unreachable : .init(200, body: [1]) }
        let ends = Counter()
        let task = stage.session.dataTask(with: try request(), completion: { _ in ends.add() })
        task.resume()
        #expect(await isWaiting(stage, task))
        monitor.set(FakePathMonitor.wired)
        monitor.fire(up)
        #expect(await eventually { ends.count == 1 })
        #expect(recorder.calls == ["waits", "wait: no network interface is up", "no wait"])
    }

    /// Events are hints: without one its path is evaluated after growing delays, and after the longest it makes an
    /// attempt without any sign.
    @Test func attemptsWithoutEvents() async throws {
        let stage = stage { _, number in number < 2 ? unreachable : .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        for pause in [1.0, 2, 4, 8, 16, 29.9] {
            stage.scheduler.advance(by: pause)
            stage.transport.shutDown()
            #expect(stage.transport.exchanges.count == 1)
        }
        stage.scheduler.advance(by: 0.2)
        #expect(await eventually { stage.transport.exchanges.count == 2 })
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
    }

    @Test func reportsWaitingOnceAndChangedReasons() async throws {
        let stage = stage { _, number in number < 2 ? unreachable : .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        monitor.set(NetworkPath(status: .unsatisfied(.notConnected(["eth0"]))))
        monitor.fire(up)
        monitor.fire(up)
        stage.scheduler.advance(by: 1)
        #expect(await isWaiting(stage, task))
        monitor.set(FakePathMonitor.wired)
        monitor.fire(up)
        stage.scheduler.advance(by: 5)
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(
            recorder.calls.filter { $0.contains("wait") }
                == ["waits", "wait: no network interface is up", "wait: eth0 is not connected", "no wait"])
    }

    @Test(arguments: [true, false]) func failsWithTheReasonWithoutWaiting(_ isRequests: Bool) async throws {
        let stage = stage(waits: isRequests) { _, _ in unreachable }
        let task = stage.session.dataTask(with: try request { $0.waitsForConnectivity = isRequests ? false : nil })
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task)?.code == .cannotConnect)
        #expect(recorder.error(task)?.message.contains("no network interface is up") == true)
        #expect(recorder.error(task)?.fields.networkUnavailableReason == nil)
        #expect(recorder.calls == ["metrics", "complete 7"])
    }

    /// The network works, and the peer refuses: there is nothing to wait for.
    @Test(arguments: [Int32(111), 101]) func doesNotWaitOnAWorkingNetwork(_ errno: Int32) async throws {
        monitor.set(FakePathMonitor.wired)
        let stage = stage { _, _ in .init(failure: ExchangeFailure(.transport(.cannotConnect, errno: errno))) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls == ["metrics", "complete 7"])
    }

    @Test(arguments: [(NameAnswer.doesNotExist, false), (.exists, false), (.silent, true)])
    func waitsForANameOnlyWithoutAReply(_ answer: NameAnswer, _ waits: Bool) async throws {
        monitor.set(FakePathMonitor.wired)
        let stage = stage({ $0.nameCheck = { _ in answer } }) { _, number in
            number == 1 ? .init(failure: ExchangeFailure(.transport(.hostNotResolved))) : .init(200)
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        if waits {
            #expect(await isWaiting(stage, task))
            #expect(task.wait?.message == "the name server does not respond")
            stage.scheduler.advance(by: 1)
        }
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task)?.code == (waits ? nil : .hostNotResolved))
        #expect(recorder.calls.contains("waits") == waits)
    }

    @Test func doesNotWaitForMissingNamesWithoutANetwork() async throws {
        let stage = stage({ $0.nameCheck = { _ in .doesNotExist } }) { _, _ in
            .init(failure: ExchangeFailure(.transport(.hostNotResolved)))
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task)?.code == .hostNotResolved)
    }

    // MARK: Calls while it waits

    @Test func cancelsImmediately() async throws {
        let stage = stage { _, _ in unreachable }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        task.cancel()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == .cancelled)
        #expect(stage.waiting.isEmpty)
    }

    @Test func theResourceTimerKeepsRunning() async throws {
        let stage = stage({ $0.resourceTimeout = 0.5 }) { _, _ in unreachable }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        stage.scheduler.advance(by: 0.6)
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task)?.code == .timedOut)
    }

    @Test func suspendedTasksMakeNoAttempt() async throws {
        let stage = stage { _, number in number == 1 ? unreachable : .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        task.suspend()
        stage.scheduler.advance(by: 60)
        monitor.set(FakePathMonitor.wired)
        monitor.fire(up)
        stage.transport.shutDown()
        #expect(stage.transport.exchanges.count == 1)
        task.resume()
        #expect(await isWaiting(stage, task))
        stage.scheduler.advance(by: 30)
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
    }

    /// However often a link flaps, the server sees few attempts.
    @Test func flappingLinksCauseFewAttempts() async throws {
        let stage = stage { [monitor] _, _ in
            monitor.set(FakePathMonitor.none)
            return unreachable
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        func flap(seconds: Int) {
            for _ in 0..<(100 * seconds) {
                monitor.set(FakePathMonitor.wired)
                monitor.fire(up)
                stage.transport.shutDown()
                stage.scheduler.advance(by: 0.01)
                stage.transport.shutDown()
            }
        }
        flap(seconds: 1)
        #expect((3...5).contains(stage.transport.exchanges.count))
        flap(seconds: 29)
        #expect((8...14).contains(stage.transport.exchanges.count))
        #expect(recorder.endCount(task) == 0)
        task.cancel()
    }

    // MARK: Networks that may not be used

    struct Constraint: Sendable, CustomTestStringConvertible {
        let reason: NetworkUnavailableReason
        let interface: NetworkInterface
        let forbid: @Sendable (inout TransferConfiguration) -> Void
        let forbidInRequest: @Sendable (inout TransferOptions) -> Void
        var testDescription: String { reason.rawValue }
    }

    static let constraints = [
        Constraint(
            reason: .cellular, interface: NetworkInterface(name: "wwan0", kind: .cellular),
            forbid: { $0.allowsCellularAccess = false }, forbidInRequest: { $0.allowsCellular = false }),
        Constraint(
            reason: .expensive, interface: NetworkInterface(name: "wlan0", kind: .wifi, isExpensive: true),
            forbid: { $0.allowsExpensiveNetworkAccess = false }, forbidInRequest: { $0.allowsExpensive = false }),
        Constraint(
            reason: .constrained, interface: NetworkInterface(name: "wlan0", kind: .wifi, isConstrained: true),
            forbid: { $0.allowsConstrainedNetworkAccess = false }, forbidInRequest: { $0.allowsConstrained = false }),
    ]

    @Test(arguments: constraints) func waitsOutARestrictedNetwork(_ constraint: Constraint) async throws {
        monitor.set(FakePathMonitor.through(constraint.interface))
        let stage = stage(constraint.forbid) { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        #expect(stage.transport.exchanges.isEmpty)
        #expect(task.wait?.unavailableReason == constraint.reason)
        #expect(task.wait?.canBeLifted == true)
        monitor.set(FakePathMonitor.through(wifi))
        monitor.fire(PathChange(hasNewCosts: true))
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
    }

    @Test(arguments: constraints) func errorsStateTheRestriction(_ constraint: Constraint) async throws {
        monitor.set(FakePathMonitor.through(constraint.interface))
        let stage = stage(waits: false) { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request("http://a.test/", .get, constraint.forbidInRequest))
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(stage.transport.exchanges.isEmpty)
        #expect(recorder.error(task)?.code == .cannotConnect)
        #expect(recorder.error(task)?.fields.networkUnavailableReason == constraint.reason.rawValue)
        #expect(recorder.calls == ["metrics", "complete 7"])
    }

    @Test(arguments: constraints) func liftsRestrictions(_ constraint: Constraint) async throws {
        monitor.set(FakePathMonitor.through(constraint.interface))
        let stage = stage(constraint.forbid) { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await isWaiting(stage, task))
        task.liftRestrictions()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
        let lifted = stage.session.dataTask(with: try request { $0.liftsRestrictions = true })
        lifted.resume()
        #expect(await eventually { recorder.endCount(lifted) == 1 })
        #expect(recorder.error(lifted) == nil)
    }

    @Test func usesUnrestrictedNetworks() async throws {
        monitor.set(
            FakePathMonitor.through(
                NetworkInterface(name: "wwan0", kind: .cellular, isExpensive: true, isConstrained: true)))
        let stage = stage { _, _ in .init(200) }
        #expect(try await stage.session.data(for: try request()).response.status.code == 200)
    }

    /// An interface that fits is taken by name, where the system would take one that does not.
    @Test func usesAnotherSuitableInterface() async throws {
        var path = FakePathMonitor.through(NetworkInterface(name: "wwan0", kind: .cellular))
        path.alternatives = [wifi]
        path.interfaces.append(wifi)
        monitor.set(path)
        let stage = stage({ $0.allowsCellularAccess = false }) { _, _ in .init(200) }
        _ = try await stage.session.data(for: try request())
        #expect(stage.transport.exchanges.first?.interface == "if!wlan0")
    }
}
