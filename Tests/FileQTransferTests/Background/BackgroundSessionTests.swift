// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
import TransferControl
import TransferTesting

@testable import FileQTransfer

/// A session whose transfers a service carries, while its program runs.
@Suite struct BackgroundSessionTests {
    @Test func runsADownloadInTheService() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let task = try run.download { task in
            task.taskDescription = "nightly"
            task.priority = 0.75
            task.earliestBegin = 5
        }
        try await run.session.waitUntilStored()
        let added = try #require(stage.service.added.first)
        #expect(added.terms.session == BackgroundStage.identifier)
        #expect(!added.terms.paused)
        #expect(added.terms.earliestBegin == 5)
        #expect(added.description.options.priority == 0.75)
        #expect(added.description.options.waitsForConnectivity == true)
        #expect(TaskDescription(added.terms.taskDescription)?.description == "nightly")
        guard case .download(let download) = added.description.operation, case .file(let path) = download.destination
        else {
            return #expect(Bool(false))
        }
        #expect(path.hasPrefix(stage.sessionFolder + "/"))
        let mode = try FileManager.default.attributesOfItem(atPath: stage.sessionFolder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        #expect(task.state == .running)

        stage.service.change(added.id) { ($0.bytes, $0.total) = (3, 5) }
        #expect(await eventually { task.progress.received == 3 })
        #expect(task.progress.fractionCompleted == 0.6)
        stage.service.complete(added.id)
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
        #expect(
            run.delegate.lines == ["caught up", "1 wrote 3", "1 wrote 5", "1 finished", "1 metrics", "1 complete ok"])
        #expect(run.delegate.files == [path: "hello"])
        #expect(task.state == .completed)
        #expect(task.response?.status == .ok)
        // The delegate has not moved it.
        #expect(await eventually { !FileManager.default.fileExists(atPath: path) })
        // The delegate has returned.
        #expect(await eventually { run.session.tasks.isEmpty })
        try await run.session.waitUntilStored()
        #expect(stage.service.events.isEmpty)
    }

    @Test func movedFilesBelongToTheDelegate() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let goal = stage.folder.file("mine")
        run.delegate.taking.withLock { $0 = { try? FileManager.default.moveItem(atPath: $0, toPath: goal) } }
        _ = try run.download()
        try await run.session.waitUntilStored()
        stage.service.complete(TransferID(rawValue: 1))
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
        try await run.session.waitUntilStored()
        #expect(try stage.folder.read("mine") == Array("hello".utf8))
    }

    @Test func uploadsReportProgressAndResponse() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let source = try stage.folder.write(Array("12345".utf8), to: "source")
        let task = try run.upload(source)
        try await run.session.waitUntilStored()
        let added = try #require(stage.service.added.first)
        #expect(added.description.operation == .upload(Upload(source: .file(path: source))))
        #expect(added.description.options.method == .put)
        stage.service.change(added.id) { ($0.bytes, $0.total) = (2, 5) }
        stage.service.end(
            added.id, .completed, [.init(name: "Location", value: "/files/1"), .init(name: "Set-Cookie", value: "a=b")]
        ) {
            ($0.bytes, $0.status) = (5, 201)
        }
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
        #expect(
            run.delegate.lines == ["caught up", "1 sent 2", "1 sent 5", "1 response 201", "1 metrics", "1 complete ok"])
        #expect(task.response?.headerFields[.location] == "/files/1")
        #expect(task.response?.headerFields[.setCookie] == nil)
        #expect(FileManager.default.fileExists(atPath: source))
    }

    @Test func failuresHaveTheirStatus() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let task = try run.download()
        try await run.session.waitUntilStored()
        let error = TransferError(.httpStatus, "example.org: 404 Not Found")
        stage.service.fail(TransferID(rawValue: 1), error, status: 404)
        #expect(await eventually { run.delegate.count("1 complete 22") == 1 })
        #expect(run.delegate.error(task) == error)
        #expect(task.response?.status == .notFound)
        #expect(run.delegate.files.isEmpty)
    }

    @Test func suspensionsNestAndCommandsReachTheService() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let task = run.session.downloadTask(with: TransferRequest(url: try TransferURL("https://example.org/a")))
        #expect(task.state == .suspended)
        task.suspend()
        task.resume()
        try await run.session.waitUntilStored()
        #expect(stage.service.added.isEmpty)
        task.resume()
        try await run.session.waitUntilStored()
        #expect(stage.service.added.count == 1)
        task.suspend()
        task.suspend()
        #expect(task.state == .suspended)
        try await run.session.waitUntilStored()
        task.resume()
        try await run.session.waitUntilStored()
        #expect(stage.service.performed == [.pause])
        task.resume()
        task.priority = 0.25
        task.setRateLimit(1000)
        task.liftRestrictions()
        try await run.session.waitUntilStored()
        #expect(stage.service.performed == [.pause, .resume, .priority(0.25), .limit(1000), .liftRestrictions])
        #expect(await eventually { task.state == .running })
        // Another client pauses it: a resume still takes effect.
        stage.service.change(TransferID(rawValue: 1), .paused) { $0.state = .paused }
        #expect(await eventually { task.state == .suspended })
        task.resume()
        #expect(await eventually { task.state == .running })
    }

    @Test func cancellingEndsIt() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let (handedOver, idle) = (
            try run.download(),
            run.session.downloadTask(with: TransferRequest(url: try TransferURL("https://example.org/b")))
        )
        try await run.session.waitUntilStored()
        let given = OneShot<Bool>()
        handedOver.cancel { given.put($0 == nil) }
        idle.cancel()
        #expect(await eventually { run.delegate.count("1 complete 1") + run.delegate.count("2 complete 1") == 2 })
        #expect(given.value == true)
        #expect(handedOver.error == .cancelled)
        #expect(stage.service.performed == [.cancel(deletingPartial: true)])
        #expect(stage.service.added.count == 1)
    }

    @Test func reportsAWaitOnce() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let task = try run.download()
        try await run.session.waitUntilStored()
        let id = TransferID(rawValue: 1)
        stage.service.change(id, .waiting) {
            ($0.state, $0.reason, $0.unavailableReason) = (.waiting, "only an expensive network is up", "expensive")
        }
        #expect(await eventually { task.wait?.unavailableReason == .expensive })
        stage.service.change(id, .resumed) { ($0.state, $0.unavailableReason) = (.running, nil) }
        #expect(await eventually { task.wait == nil })
        stage.service.change(id, .waiting) { $0.state = .waiting }
        #expect(await eventually { task.wait != nil })
        // The delegate queue is serial: at the end, all earlier events have been delivered.
        task.cancel()
        #expect(await eventually { run.delegate.count("1 complete 1") == 1 })
        #expect(run.delegate.count("1 waits") == 1)
    }

    @Test func followsTheDiscretionaryConfiguration() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run { configuration in
            configuration.isDiscretionary = true
            configuration.allowsCellularAccess = false
        }
        _ = try run.download()
        try await run.session.waitUntilStored()
        #expect(stage.service.added.first?.terms.isDiscretionary == true)
        #expect(stage.service.added.first?.description.options.allowsCellular == false)
    }

    @Test func rejectionEndsItsTaskOnly() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let refusal = TransferError(.usage, "not this one")
        stage.service.state.withLock { $0.refusal = refusal }
        let task = try run.download()
        #expect(await eventually { run.delegate.error(task) == refusal })
        stage.service.state.withLock { $0.refusal = nil }
        _ = try run.download()
        try await run.session.waitUntilStored()
        #expect(stage.service.added.count == 1)
    }

    @Test func unsupportedTasksFailImmediately() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let request = TransferRequest(url: try TransferURL("https://example.org/a"))
        let tasks: [TransferTask] = [
            run.session.dataTask(with: request), run.session.uploadTask(with: request, body: .bytes([1])),
            run.session.downloadTask(with: request, to: DownloadTarget(digest: .sha256)),
        ]
        #expect(await eventually { tasks.allSatisfy { run.delegate.error($0)?.code == .usage } })
        let failure = await #expect(throws: TransferError.self) { try await run.session.data(for: request) }
        #expect(failure?.message.contains("delegate") == true)
        #expect(throws: TransferError.self) { try run.session.streamTask(host: "example.org", port: 80) }
        #expect(stage.service.added.isEmpty)
        #expect(await eventually { run.session.tasks.isEmpty })
    }

    @Test func taskDelegateIsCalledFirst() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let own = BackgroundRecorder()
        _ = try run.download { $0.delegate = own }
        try await run.session.waitUntilStored()
        stage.service.complete(TransferID(rawValue: 1))
        #expect(await eventually { own.count("1 complete ok") == 1 })
        #expect(own.lines == ["1 wrote 5", "1 finished", "1 metrics", "1 complete ok"])
        #expect(run.delegate.lines == ["caught up"])
    }
}

/// A value that is put once, from any thread.
private final class OneShot<Value: Sendable>: Sendable {
    private let box = Mutex<Value?>(nil)
    func put(_ value: Value) { box.withLock { $0 = value } }
    var value: Value? { box.withLock { $0 } }
}
