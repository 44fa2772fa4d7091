// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
import TransferTesting

@testable import FileServer

/// What a log learns of requests.
@Suite(.timeLimit(.minutes(10))) struct RequestRecordTests {
    /// The records of the requests of `body`, once there are `count`.
    private func records(
        _ count: Int, token: String? = nil, of body: (ServedFolder) async throws -> Void
    ) async throws -> [RequestRecord] {
        let records = Records()
        try await ServedFolder.with({ configuration, _ in
            configuration.token = token
            configuration.log = { records.add($0) }
        }) { (folder) async throws in
            try await body(folder)
            #expect(try await eventually { records.all.count >= count })
        }
        return records.all
    }

    @Test func bytesAreThoseOfTheContent() async throws {
        let bytes = sampleBytes(3_000_000)
        let before = Date().timeIntervalSince1970
        let records = try await records(5) { folder in
            try folder.write("big", bytes)
            #expect(try await folder.put("/a%20b", "123").status == 201)
            #expect(try await folder.curl("/a%20b").text == "123")
            #expect(try await folder.curl("/big").body == bytes)
            #expect(try await folder.curl("/big", "-I").status == 200)
            #expect(try await folder.curl("/missing%1B[31m?token=geheim").status != 200)
        }
        #expect(records.map(\.method) == ["PUT", "GET", "GET", "HEAD", "GET"])
        #expect(records.prefix(4).map(\.path) == ["/a%20b", "/a%20b", "/big", "/big"])
        #expect(records.map(\.status) == [201, 200, 200, 200, 400])
        #expect(records.map(\.received) == [3, 0, 0, 0, 0])
        #expect(records.prefix(4).map(\.sent) == [7, 3, 3_000_000, 0])
        #expect(records[0].stored == "/a%20b" && records[1].stored == nil)
        for record in records {
            #expect(record.client == "127.0.0.1" && record.isComplete && record.time >= before && record.seconds >= 0)
            #expect(!"\(record)".contains("geheim") && !record.path.contains("\u{1B}"))
        }
    }

    @Test func addressesThatOpenSomethingAreCutOff() async throws {
        var secrets: [String] = []
        let records = try await records(4, token: "secret") { folder in
            try folder.write("a", "1")
            let own = ["-H", "Authorization: Bearer secret"]
            let link = try await folder.curl("/files/share", own + ["-X", "POST", "-H", "Share-Target: /a"])
            let upload = try await folder.curl(
                "/", own + ["-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "Upload-Length: 3"])
            for answer in [link, upload] {
                let location = try #require(answer.headers["location"])
                secrets.append(String(try #require(location.split(separator: "/").last)))
                #expect(try await folder.curl(location, own + ["-I", "-H", "Tus-Resumable: 1.0.0"]).status == 200)
            }
        }
        #expect(records.count == 4 && secrets.count == 2)
        for record in records {
            #expect(!secrets.contains { "\(record)".contains($0) } && !"\(record)".contains("secret"))
        }
        #expect(records[1].stored == "/files/\(secrets[1].prefix(4))…")
        #expect(records[2].path == "/files/share/\(secrets[0].prefix(4))…")
        #expect(records[3].path == "/files/\(secrets[1].prefix(4))…")
    }

    @Test func aBrokenUploadIsNotComplete() async throws {
        let records = try await records(1) { folder in
            let connection = try RawConnection(port: folder.server.port)
            await connection.send("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n123")
            #expect(try await eventually { try folder.partials().count == 1 })
            await connection.reset()
        }
        #expect(records.first?.status == nil && records.first?.isComplete == false && records.first?.method == "PUT")
    }
}

private final class Records: Sendable {
    private let records = Mutex<[RequestRecord]>([])

    var all: [RequestRecord] { records.withLock { $0 } }

    func add(_ record: RequestRecord) { records.withLock { $0.append(record) } }
}
