// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import Glibc
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// The file of a download that resumes the temporary file of an earlier one.
@Suite struct ResumedFileTests {
    private static let content = patternedBytes(400_000)
    private let folder: TemporaryFolder
    private let server: ScriptedServer
    private let session: TransferSession

    init() throws {
        folder = try TemporaryFolder()
        server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 400000\r\n\r\n")
                connection.send(Array(Self.content[..<100_000]))
                return connection.waitForClose()
            }
            let from = Int(head[head.firstRange(of: "Range: bytes=")!.upperBound...].prefix { $0.isNumber })!
            connection.answer(
                "206 Partial Content", ["ETag: \"v1\"", "Content-Range: bytes \(from)-399999/400000"],
                body: Array(Self.content[from...]))
        }
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        configuration.temporaryFolder = folder.path
        session = TransferSession(configuration: configuration, transport: try CurlTransport())
    }

    private func firstPart(of url: String? = nil) async throws -> ResumeData {
        let task = session.downloadTask(with: TransferRequest(url: try TransferURL(url ?? server.url()))) { _ in }
        task.resume()
        #expect(await eventually { task.progress.received == 100_000 })
        let data: ResumeData? = await withCheckedContinuation { done in
            task.cancel(byProducingResumeData: { done.resume(returning: $0) })
        }
        #expect(await eventually { session.tasks.isEmpty })
        return try ResumeData(decoding: try #require(data).encoded())
    }

    @Test func removesTheTemporaryFileOfAResumedDownload() async throws {
        let data = try await firstPart()
        #expect(FileManager.default.fileExists(atPath: data.partialPath))
        let seen = Mutex<Data?>(nil)
        let task = try session.downloadTask(withResumeData: data) { event in
            if case .finishedDownload(let path) = event {
                seen.withLock { $0 = try? Data(contentsOf: URL(filePath: path)) }
            }
        }
        task.resume()
        #expect(await eventually { session.tasks.isEmpty })
        #expect(seen.withLock { $0 } == Data(Self.content))
        #expect(folder.names == [])
    }

    /// Redirects may lead elsewhere by now.
    @Test func asksTheServerThatSentTheBytes() async throws {
        let redirecting = try ScriptedServer { [server] connection, number in
            guard connection.readHead() != nil else { return }
            connection.answer(
                "302 Found", ["Location: \(number == 1 ? server.url() : "http://127.0.0.1:1/")", "Connection: close"])
        }
        let data = try await firstPart(of: redirecting.url())
        #expect(data.url == redirecting.url() && data.finalURL == server.url())
        let seen = Mutex<Data?>(nil)
        let task = try session.downloadTask(withResumeData: data) { event in
            if case .finishedDownload(let path) = event {
                seen.withLock { $0 = try? Data(contentsOf: URL(filePath: path)) }
            }
        }
        task.resume()
        #expect(await eventually { session.tasks.isEmpty })
        #expect(seen.withLock { $0 } == Data(Self.content))
        #expect(redirecting.requests.count == 1)
    }

    @Test func movedFilesStay() async throws {
        let data = try await firstPart()
        let target = folder.file("mine")
        let task = try session.downloadTask(withResumeData: data) { event in
            if case .finishedDownload(let path) = event { rename(path, target) }
        }
        task.resume()
        #expect(await eventually { session.tasks.isEmpty })
        #expect(folder.names == ["mine"])
        #expect(try folder.read("mine") == Self.content)
    }

    /// Its resume data is still good.
    @Test func unstartedTasksLeaveTheFile() async throws {
        let data = try await firstPart()
        try session.downloadTask(withResumeData: data) { _ in }.cancel()
        #expect(await eventually { session.tasks.isEmpty })
        #expect(Files.size(data.partialPath) == 100_000)
    }

    @Test func keepsTheCallersFile() async throws {
        var data = try await firstPart()
        data.isTemporary = nil
        try session.downloadTask(withResumeData: data) { _ in }.resume()
        #expect(await eventually { session.tasks.isEmpty })
        #expect(Files.same(data.partialPath, try folder.write(Self.content, to: "whole")))
    }
}
