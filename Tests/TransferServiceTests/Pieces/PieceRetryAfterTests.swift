// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// A server that names a time gets no further connection before it, whichever of its connections received that.
@Suite(.timeLimit(.minutes(10))) struct PieceRetryAfterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let transport = FakeTransport { _, _ in
        FakeTransport.Answer(429, [HTTPField.Name("Retry-After")!: "300"])
    }

    private func core() -> QueueCore {
        QueueCore(
            policy: .local, transport: transport, configuration: LocalQueue.Configuration(), session: .init(),
            scheduler: SystemScheduler(), store: NullStore())
    }

    /// A download whose own task has just received its refusal.
    @EngineActor private func refused(
        _ id: TransferID, by coordinator: Coordinator
    ) throws -> (DownloadRun, DownloadTask) {
        try coordinator.perform(.resume, on: [id])
        #expect(eventually { transport.exchanges.count == 1 && transport.countUnderWay == 0 })
        let run = try #require(coordinator.runs[id] as? DownloadRun)
        let task = try #require(run.task as? DownloadTask)
        #expect(eventually { task.response?.status.code == 429 })
        return (run, task)
    }

    /// The own task is refused with `Retry-After` while its download has further ranges to request.
    @Test(arguments: [false, true]) func noPieceIsRequestedAfterTheRefusalOfTheOwnTask(_ hasMirror: Bool) async throws {
        let core = core()
        var download = Download(destination: .file(path: folder.file("out.bin")))
        if hasMirror { download.mirrors = [FileMirror(url: try TransferURL("http://b.test/f"))] }
        let spec = Spec(url: try TransferURL("http://a.test/f"), operation: .download(download))
        let id = try await core.add([spec], on: .init(paused: true))[0]
        let found = try await core.run { coordinator in
            Result {
                let (run, task) = try refused(id, by: coordinator)
                var plan = PiecePlan(total: 100 << 20, present: ByteRangeSet(), limit: 4)
                let own = plan.adopt(from: 0, to: 50 << 20, at: 0)
                let version = try #require(run.files?.version.number)
                let point = try #require(
                    ResumePoint(offset: 1, validator: Validator([.eTag: "\"1\""]), total: 100 << 20))
                run.pieces = Pieces(plan: plan, point: point, version: version, own: own)
                run.pieces?.isRecorded = true
                _ = run.pieceEnded(task, TransferError(.httpStatus, "busy"))
                return (run.nextSource(), run.pieces?.helpers.count)
            }
        }.get()
        #expect(found.0 == nil && found.1 == 0)
        await core.shutDown()
    }

    /// The file gets another address while the refusal of the one before is arriving, which stays a mirror of it.
    @Test func aRefusalCountsThoughTheFileHasMoved() async throws {
        let core = core()
        let (old, new) = (try TransferURL("http://a.test/f"), try TransferURL("http://b.test/f"))
        var download = Download(destination: .file(path: folder.file("out.bin")))
        let id = try await core.add([Spec(url: old, operation: .download(download))], on: .init(paused: true))[0]
        download.mirrors = [FileMirror(url: old)]
        let moved = [new, old].map { Spec(url: $0, operation: .download(download)) }
        let waits = try await core.run { coordinator in
            Result {
                let (run, task) = try refused(id, by: coordinator)
                return moved.map { description in
                    run.relocate(to: description)
                    run.noteWait(task, isMoved: true)
                    return run.sources.all.map { $0.notBefore != nil }
                }
            }
        }.get()
        // The address that the user gives may be asked at once.
        #expect(waits == [[false, true], [false]])
        await core.shutDown()
    }
}
