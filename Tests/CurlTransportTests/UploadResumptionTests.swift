// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Uploads of a session that continue in another task, and in the same one.
@Suite(.timeLimit(.minutes(10))) struct UploadResumptionTests {
    private static let bytes = patternedBytes(3_000_000)
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write(Self.bytes, to: "source")
    }

    private func session(_ change: (inout TransferConfiguration) -> Void = { _ in }) throws -> TransferSession {
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        configuration.uploadResumption = .auto
        change(&configuration)
        return TransferSession(configuration: configuration, transport: try CurlTransport())
    }

    private func request(_ server: DraftServer) throws(TransferError) -> TransferRequest {
        TransferRequest(url: try TransferURL(server.server.url()), method: .put)
    }

    /// The data of an upload that broke off.
    private func interrupted(_ session: TransferSession, _ server: DraftServer) async throws -> UploadResumeData {
        do throws(TransferError) {
            _ = try await session.upload(for: request(server), body: .file(path: path))
        } catch {
            #expect(error.code == .receiveFailed || error.code == .sendFailed, "\(error)")
            return try UploadResumeData(decoding: try #require(error.uploadResumeData).encoded())
        }
        throw TransferError(.other, "the upload did not break off")
    }

    @Test func failuresContainResumeData() async throws {
        let (session, server) = (try session(), try DraftServer(cuts: [1_000_000]))
        let data = try await interrupted(session, server)
        #expect(data.total == 3_000_000 && data.filePath == path && data.method == "PUT")
        // Another process, whose sessions send plainly.
        let later = try self.session { $0.uploadResumption = .never }
        let sent = Mutex<[Int64]>([])
        let result = try await later.upload(resumeFrom: data) { total, expected in
            sent.withLock { $0 += [total, expected ?? -1] }
        }
        #expect(result.response.status.code == 201)
        #expect(server.words == ["OPTIONS", "PUT", "PATCH 0", "HEAD", "PATCH 1000000"])
        #expect(server.holds(Self.bytes))
        let counts = sent.withLock { $0 }
        #expect(counts.suffix(2) == [3_000_000, 3_000_000])
        #expect(counts.allSatisfy { $0 > 1_000_000 })
    }

    @Test func cancelsByProducingResumeData() async throws {
        let (session, server) = (try session(), try DraftServer(cuts: [1_000_000], stalls: true))
        let data = try await interrupted(session, server)
        let ends = Mutex<[TransferError?]>([])
        let task = try session.uploadTask(withResumeData: data) { event in
            if case .completed(let error) = event { ends.withLock { $0.append(error) } }
        }
        task.resume()
        #expect(await eventually { server.words.last == "HEAD" })
        let produced: UploadResumeData? = await withCheckedContinuation { done in
            task.cancel(byProducingResumeData: { data in
                #expect(ends.withLock { $0.isEmpty })
                done.resume(returning: data)
            })
        }
        #expect(await eventually { ends.withLock { $0.count } == 1 })
        #expect(ends.withLock { $0.first??.code } == .cancelled)
        #expect(task.resumeData == produced)
        server.proceed()
        _ = try await session.upload(resumeFrom: try #require(produced))
        #expect(server.words.last == "PATCH 1000000")
        #expect(server.holds(Self.bytes))
    }

    @Test func plainUploadsProduceNoData() async throws {
        let (session, server) = (try session { $0.uploadResumption = .never }, try DraftServer())
        let task = session.uploadTask(with: try request(server), body: .file(path: path)) { _ in }
        let produced: UploadResumeData? = await withCheckedContinuation { done in
            task.cancel(byProducingResumeData: { done.resume(returning: $0) })
        }
        #expect(produced == nil && server.words.isEmpty)
    }

    /// Also one with its old size and time of modification.
    @Test(arguments: [false, true]) func aChangedFileIsRefused(_ keepsTime: Bool) async throws {
        let (session, server) = (try session(), try DraftServer(cuts: [1_000_000]))
        let data = try await interrupted(session, server)
        let count = server.words.count
        if keepsTime {
            Files.overwriteKeepingTime(path)
        } else {
            _ = try folder.write(patternedBytes(3_000_001), to: "source")
        }
        do throws(TransferError) {
            _ = try await session.upload(resumeFrom: data)
            Issue.record("joined to other bytes")
        } catch { #expect(error.code == .cannotReadSource && error.fields.variant == .sourceChanged) }
        #expect(server.words.count == count)
    }

    @Test func anExpiredUploadStartsAgainOnce() async throws {
        // More than the buffers of a connection hold: otherwise every byte may have arrived.
        let bytes = patternedBytes(40_000_000)
        let path = try folder.write(bytes, to: "large")
        let (session, server) = (try session(), try DraftServer(cuts: [1_000_000], forgets: 1))
        var data: UploadResumeData?
        do throws(TransferError) {
            _ = try await session.upload(for: request(server), body: .file(path: path))
        } catch { data = error.uploadResumeData }
        let end = Mutex<TransferError??>(nil)
        let task = try session.uploadTask(withResumeData: try #require(data)) { event in
            if case .completed(let error) = event { end.withLock { $0 = .some(error) } }
        }
        task.resume()
        #expect(await eventually { end.withLock { $0 } != nil })
        #expect(end.withLock { $0 } == .some(nil))
        #expect(task.restartCause?.message.contains("expired") == true)
        #expect(task.resumeData == nil)
        #expect(server.words == ["OPTIONS", "PUT", "PATCH 0", "HEAD", "PUT", "PATCH 0"])
        #expect(server.holds(bytes))
    }

    /// The connection is closed, and the same task continues on another one.
    @Test func longSuspensionsContinueFromTheConfirmedByte() async throws {
        let (session, server) = (
            try session { $0.suspensionGrace = 0.01 }, try DraftServer(cuts: [1_000_000], stalls: true)
        )
        let task = try session.uploadTask(withResumeData: try await interrupted(session, server)) { _ in }
        task.resume()
        #expect(await eventually { server.words.last == "HEAD" })
        task.suspend()
        #expect(await eventually { server.server.openCount == 0 })
        server.proceed()
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.error == nil && task.response?.status.code == 201)
        #expect(server.words.suffix(2) == ["HEAD", "PATCH 1000000"])
        #expect(server.holds(Self.bytes))
    }

    /// The draft's 104 reaches the program, which may store then what another process needs.
    @Test func informationalResponsesCreateTheUpload() async throws {
        let mayAnswer = Mutex(false)
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            guard !head.hasPrefix("OPTIONS") else { return connection.answer("405 Method Not Allowed") }
            connection.send(
                "HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Draft-Interop-Version: 10\r\nLocation: /u\r\n\r\n")
            while !mayAnswer.withLock({ $0 }), !connection.closes(within: 5) {}
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            _ = connection.readBody(3_000_000)
            connection.answer("201 Created")
        }
        let session = try session { $0.uploadResumption = .ietf }
        let seen = Mutex<[Int]>([])
        let task = session.uploadTask(
            with: TransferRequest(url: try TransferURL(server.url()), method: .put), body: .file(path: path)
        ) { event in
            if case .informational(let head) = event { seen.withLock { $0.append(head.status.code) } }
        }
        task.resume()
        #expect(await eventually { seen.withLock { $0.contains(104) } })
        let data = try #require(task.resumeData)
        #expect(data.url == server.url() && data.filePath == path && data.confirmed == 0)
        mayAnswer.withLock { $0 = true }
        #expect(await eventually { task.state == .completed })
        #expect(task.resumeData == nil && task.error == nil && task.response?.status.code == 201)
        #expect(server.requests.map { $0.prefix(3) } == ["OPT", "PUT"])
    }

    /// What was asked once is known to the next upload; one that reads nothing more after it does no harm.
    @Test func theQuestionHasAConnectionOfItsOwn() async throws {
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            guard !head.hasPrefix("OPTIONS") else {
                connection.send("HTTP/1.1 204 No Content\r\n\r\n")
                return connection.waitForClose()
            }
            _ = connection.readBody(3_000_000)
            connection.answer("201 Created")
        }
        let session = try session()
        for _ in 0..<2 {
            let request = TransferRequest(url: try TransferURL(server.url()), method: .put)
            let result = try await session.upload(for: request, body: .bytes(Self.bytes))
            #expect(result.response.status.code == 201)
        }
        #expect(server.requests.map { $0.prefix(3) } == ["OPT", "PUT", "PUT"])
    }
}
