// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import Testing
import TransferTesting

extension Integration {
    /// The metrics of a run, and HTTP/2 as a real server sees it.
    @Suite(.serialized) struct MetricsTests {
        @Test func aWaterfallForEachExchange() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    while let head = connection.readHead() {
                        if head.hasPrefix("GET /hop") {
                            connection.answer("302 Found", ["Location: /file?sig=s3cret"])
                        } else {
                            connection.answer("200 OK", body: patternedBytes(100_000))
                        }
                    }
                }
                let outcome = try await stage.fileq(
                    "get", "--plain", "-v", server.url("/hop"), environment: ["LANG": "C"])
                #expect(outcome.exit == 0, "\(outcome)")
                let lines = outcome.complaintLines
                #expect(lines.contains("  GET \(server.url("/hop")): 302"), "\(outcome)")
                #expect(
                    lines.contains { $0.hasPrefix("  GET \(server.url("/file"))?sig=?: 200, after ") }, "\(outcome)")
                #expect(lines.contains { $0.contains("connection reused") })
                #expect(lines.filter { $0.contains("connect ") && $0.contains("|") }.count == 1)
                #expect(lines.filter { $0.contains("response ") && $0.contains("#") }.count == 2)
                #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
                #expect(lines.filter { $0.hasPrefix("    ") || $0.hasPrefix("  GET") }.allSatisfy { $0.count < 80 })
                #expect(!outcome.complaints.contains("s3cret"))
            }
        }

        @Test(.needs(.nginx)) func theLastEventHasTransactions() async throws {
            try await Stage.with { stage in
                let tls = try await stage.certificate()
                let server = try await stage.serve(.nginx, tls: tls)
                try Files.fill(server.file("a.bin"), 300_000)
                let outcome = try await stage.fileq("get", "--json", "--cacert", tls.certificate, server.url("a.bin"))
                #expect(outcome.exit == 0, "\(outcome)")
                let last = try #require(try OutputTests.check(outcome, ends: ["completed": 1]).last)
                let transactions = try #require(last.object("metrics")?["transactions"] as? [[String: Any]])
                let one = try #require(transactions.first)
                #expect(
                    transactions.count == 1 && one["method"] as? String == "GET"
                        && one["url"] as? String == server.url("a.bin"))
                #expect(one["status"] as? Int == 200 && one["fetchType"] as? String == "networkLoad")
                #expect(one["protocol"] as? String == "http/1.1" && one["remoteAddress"] as? String == "127.0.0.1")
                #expect((one["tlsVersion"] as? String)?.hasPrefix("TLS") == true, "\(one)")
                #expect(
                    (one["tlsCipher"] as? String)?.contains("AES") == true
                        || (one["tlsCipher"] as? String)?.contains("CHACHA") == true)
                #expect(one["reusedConnection"] as? Bool == false && one["proxyConnection"] as? Bool == false)
                #expect(
                    one["responseBodyBytes"] as? Int == 300_000 && one["responseBodyBytesReceived"] as? Int == 300_000)
                #expect(
                    (one["requestHeaderBytes"] as? Int ?? 0) > 50 && (one["responseHeaderBytes"] as? Int ?? 0) > 100)
                let names = [
                    "fetchStart", "domainLookupStart", "domainLookupEnd", "connectStart", "secureConnectionStart",
                    "secureConnectionEnd", "connectEnd", "requestStart", "requestEnd", "responseStart", "responseEnd",
                ]
                let times = names.map { (one[$0] as? NSNumber)?.doubleValue ?? -1 }
                #expect(times == times.sorted() && times[0] > 1.7e9, "\(one)")
            }
        }

        @Test(.needs(.nginx)) func parallelDownloadsShareAConnection() async throws {
            try await Stage.with { stage in
                let tls = try await stage.certificate()
                let server = try await stage.serve(.nginx, tls: tls, isHTTP2: true)
                let names = (1...12).map { "\($0).bin" }
                for name in names { try Files.fill(server.file(name), 400_000, seed: UInt64(name.utf8.first ?? 0)) }
                let outcome = try await stage.fileq(
                    ["get", "--json", "--http", "2", "-j", "12", "--cacert", tls.certificate] + names.map(server.url))
                #expect(outcome.exit == 0, "\(outcome)")
                let ends = try OutputTests.check(outcome, ends: ["completed": 12]).filter { $0.name == "completed" }
                #expect(ends.allSatisfy { $0.object("metrics")?["protocol"] as? String == "h2" })
                #expect(ends.filter { $0.object("metrics")?["reusedConnection"] as? Bool == false }.count == 1)
                for name in names { #expect(Files.same(stage.path(name), server.file(name))) }
                #expect(await becomesTrue { server.lines.count == 12 })
                let connections = Set(server.lines.compactMap { $0.split(separator: " ").last })
                #expect(connections.count == 1, "\(server.lines)")
            }
        }

        /// Where libcurl has no HTTP/3, nothing begins.
        @Test(.disabled(if: CurlTransport.speaksHTTP3, "this libcurl speaks HTTP/3"))
        func refusesHTTP3IfUnsupported() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK")
                let outcome = try await stage.fileq("get", "--http", "3", server.url("/a"))
                #expect(
                    outcome.exit == 2 && outcome.complaints.contains("built without HTTP/3") && server.requests.isEmpty,
                    "\(outcome)")
            }
        }
    }
}
