// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import Synchronization
import Testing
import TransferTesting

@Suite(.timeLimit(.minutes(5))) struct DescriptorWatchTests {
    private final class Reports: Sendable {
        private let seen = Mutex<[DescriptorWatch.Readiness]>([])

        func append(_ readiness: DescriptorWatch.Readiness) { seen.withLock { $0.append(readiness) } }
        var all: [DescriptorWatch.Readiness] { seen.withLock { $0 } }
        var count: Int { all.count }
    }

    private final class Shared: Sendable {
        let count = Atomic(0)
        let watch = Mutex<DescriptorWatch?>(nil)
    }

    private let queue = DispatchQueue(label: "watch")

    private static func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// What was asked for before has been reported by then.
    private func awaitReports() async throws {
        let (mine, other) = try Self.pair()
        defer { for end in [mine, other] { close(end) } }
        let reports = Reports()
        let watch = try DescriptorWatch(mine, on: queue) { reports.append($0) }
        watch.notify(when: .writing)
        #expect(await eventually { reports.count == 1 })
        queue.sync { watch.end() }
    }

    @Test func reportsOnceForEachRequest() async throws {
        let (mine, other) = try Self.pair()
        let reports = Reports()
        let watch = try DescriptorWatch(mine, on: queue) { reports.append($0) }
        _ = write(other, "a", 1)
        try await awaitReports()
        #expect(reports.count == 0)
        for count in 1...3 {
            watch.notify(when: .reading)
            #expect(await eventually { reports.count == count })
            try await awaitReports()
            #expect(reports.all == Array(repeating: .reading, count: count))
        }
        watch.notify(when: [.reading, .writing])
        #expect(await eventually { reports.count == 4 })
        #expect(reports.all.last == [.reading, .writing])
        // The last request counts.
        watch.notify(when: .reading)
        watch.notify(when: .writing)
        #expect(await eventually { reports.all.last == .writing })
        queue.sync { watch.end() }
        for end in [mine, other] { close(end) }
    }

    @Test(arguments: [DescriptorWatch.Readiness.reading, .writing])
    func theOtherSidesEndCountsAsBoth(_ wanted: DescriptorWatch.Readiness) async throws {
        let (mine, other) = try Self.pair()
        let reports = Reports()
        let watch = try DescriptorWatch(mine, on: queue) { reports.append($0) }
        close(other)
        watch.notify(when: wanted)
        #expect(await eventually { reports.all.last == [.reading, .writing] })
        queue.sync { watch.end() }
        close(mine)
    }

    @Test func reportsNothingAfterTheEnd() async throws {
        let (mine, other) = try Self.pair()
        let reports = Reports()
        let watch = try DescriptorWatch(mine, on: queue) { reports.append($0) }
        // The report is under way while the queue is busy.
        queue.sync {
            watch.notify(when: .writing)
            watch.end()
        }
        try await awaitReports()
        #expect(reports.count == 0)
        for end in [mine, other] { close(end) }
    }

    @Test func refusesWhatCannotBeWaitedFor() throws {
        let folder = try TemporaryFolder()
        let file = try Descriptor.open(try folder.write([1], to: "file"), O_RDONLY)
        #expect(throws: SystemError("epoll_ctl", errno: EPERM)) {
            try DescriptorWatch(file.number, on: queue) { _ in }
        }
    }

    /// Numbers of descriptors are used again at once; no report reaches another watch.
    @Test func manyComeAndGo() async throws {
        let total = Shared()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<2000 {
                        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                            let queue = DispatchQueue(label: "watch")
                            guard let (mine, other) = try? Self.pair() else { return done.resume() }
                            let shared = Shared()
                            let watch = try? DescriptorWatch(mine, on: queue) { _ in
                                shared.watch.withLock { $0 }?.end()
                                for end in [mine, other] { close(end) }
                                total.count.add(1, ordering: .relaxed)
                                done.resume()
                            }
                            shared.watch.withLock { $0 = watch }
                            watch?.notify(when: .writing)
                        }
                    }
                }
            }
        }
        #expect(total.count.load(ordering: .relaxed) == 8000)
    }
}
