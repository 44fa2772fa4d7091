// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// A file that is compared with a checksum before a resumable upload is not read for that again.
@Suite(.timeLimit(.minutes(10))) struct VerifiedUploadTests {
    enum Change: CaseIterable, Sendable {
        case none, mode, bytes

        func apply(to path: String) {
            switch self {
            case .none: break
            case .mode: chmod(path, 0o600)
            case .bytes: Self.rewrite(path)
            }
        }

        /// Writes other bytes, and gives the file its old time of modification.
        private static func rewrite(_ path: String) {
            var before = stat()
            stat(path, &before)
            // The clock of the file system may not have moved on at the first write.
            _ = eventually {
                let descriptor = open(path, O_WRONLY | O_CLOEXEC)
                defer { close(descriptor) }
                pwrite(descriptor, [9, 9, 9] as [UInt8], 3, 0)
                futimens(descriptor, [before.st_atim, before.st_mtim])
                var after = stat()
                stat(path, &after)
                return after.st_ctim.tv_sec != before.st_ctim.tv_sec || after.st_ctim.tv_nsec != before.st_ctim.tv_nsec
            }
        }
    }

    /// Between the comparison and the first byte.
    @Test(arguments: Change.allCases, [[], ["Upload-Limit: max-append-size=1000000"]])
    func changesAfterTheComparisonAreFound(_ change: Change, _ limits: [String]) async throws {
        let stage = try QueueStage()
        let path = try stage.folder.write(patternedBytes(3_000_000), to: "source")
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                switch head.prefix(while: { $0 != " " }) {
                case "OPTIONS": connection.answer("204 No Content", ["Upload-Limit: min-size=0"])
                case "PUT":
                    change.apply(to: path)
                    connection.answer("201 Created", ["Location: /u"] + limits)
                case _ where head.contains("Upload-Complete: ?0"):
                    connection.send("HTTP/1.1 204 No Content\r\nUpload-Complete: ?0\r\n\r\n")
                default: connection.answer("201 Created", ["Upload-Complete: ?1"])
                }
            }
        }
        let checksum = Checksum(
            algorithm: .sha256, bytes: try #require(FileDigest.compute(.sha256, path: path)))
        let upload = Upload(source: .file(path: path), form: .put, checksum: checksum, resumption: .auto)
        let result = try await stage.end(of: Spec(url: try TransferURL(server.url()), operation: .upload(upload)))
        #expect(result.state == (change == .bytes ? .failed : .completed), "\(result.error as Any)")
        #expect(result.error?.code == (change == .bytes ? .checksumMismatch : nil))
        #expect(server.requests.count { $0.hasPrefix("PATCH") } == (limits.isEmpty ? 1 : 3))
    }

    @Test func aVerifiedFileIsHashedForFileQAlone() {
        let sha512 = Checksum(algorithm: .sha512, bytes: [UInt8](repeating: 1, count: 64))
        for (form, checksum, isVerified, expected): (Upload.Form, Checksum?, Bool, Checksum.Algorithm?) in [
            (.put, nil, false, nil), (.put, sha512, false, .sha512), (.put, sha512, true, nil),
            (.fileQ(FileQUpload()), nil, false, .sha256), (.fileQ(FileQUpload()), sha512, false, .sha512),
            (.fileQ(FileQUpload()), sha512, true, .sha512),
        ] {
            let upload = Upload(source: .file(path: "a"), form: form, checksum: checksum)
            #expect(UploadReceipt.algorithm(for: upload, isVerified: isVerified) == expected)
        }
    }
}
