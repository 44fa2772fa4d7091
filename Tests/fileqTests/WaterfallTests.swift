// SPDX-License-Identifier: MIT

import TerminalInterface
import Testing
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct WaterfallTests {
    private func metrics(_ count: Int = 1, url: String = "https://example.org/file") throws -> TransferMetrics {
        var metrics = TransferMetrics()
        metrics.exchanges = count
        metrics.taskStart = 1000
        for number in 0..<count {
            var one = TransactionMetrics(method: "GET", url: try TransferURL(url))
            let start = 1000 + Double(number)
            (one.fetchStart, one.domainLookupStart, one.domainLookupEnd) = (start, start, start + 0.1)
            (one.connectStart, one.secureConnectionStart, one.secureConnectionEnd, one.connectEnd) = (
                start + 0.1, start + 0.2, start + 0.4, start + 0.4
            )
            (one.requestStart, one.requestEnd, one.responseStart, one.responseEnd) = (
                start + 0.4, start + 0.4, start + 0.5, start + 1
            )
            (one.status, one.protocolName, one.tlsVersion) = (200, "http/1.1", "TLSv1.3")
            (one.localAddress, one.localPort, one.remoteAddress, one.remotePort) = (
                "192.0.2.7", 40_000, "192.0.2.1", 443
            )
            (one.requestHeaderBytes, one.responseHeaderBytes, one.responseBodyBytesReceived) = (80, 120, 5000)
            metrics.append(one)
        }
        return metrics
    }

    @Test func drawsABlock() throws {
        let lines = Waterfall(glyphs: .ascii, columns: 60).lines(of: try metrics())
        #expect(
            lines == [
                "  GET https://example.org/file: 200",
                "    http/1.1, 192.0.2.7:40000 to 192.0.2.1:443, TLSv1.3, 8~",
                "    name          100 ms |###                             |",
                "    connect       100 ms |   ###                          |",
                "    TLS           200 ms |      #######                   |",
                "    request       0.0 ms |             #                  |",
                "    wait          100 ms |             ###                |",
                "    response      500 ms |                ################|",
            ])
    }

    @Test func reusedConnectionsHaveFewerStages() throws {
        var reused = try metrics()
        reused.transactions[0].isReusedConnection = true
        for path in [
            \TransactionMetrics.domainLookupStart, \.domainLookupEnd, \.connectStart, \.connectEnd,
            \.secureConnectionStart,
        ] {
            reused.transactions[0][keyPath: path] = nil
        }
        let lines = Waterfall(glyphs: .unicode, columns: 80).lines(of: reused)
        #expect(lines.count == 5)
        #expect(lines[1].contains("connection reused"))
        #expect(lines[2].contains("request") && lines[2].contains("█"))
    }

    @Test(arguments: [1, 2, 10, 20, 31, 40, 79, 80, 200, 1000]) func noLineIsWiderThanTheWindow(_ columns: Int) throws {
        for glyphs in [TerminalGlyphs.ascii, .unicode] {
            for line in Waterfall(glyphs: glyphs, columns: columns).lines(of: try metrics(2)) {
                #expect(CellWidth.of(line) <= max(1, columns - 1), "\(line)")
            }
        }
    }

    @Test func sanitizesRemoteText() throws {
        var hostile = try metrics()
        hostile.transactions[0].tlsCipher = "\u{1b}[31mé"
        let lines = Waterfall(glyphs: .ascii, columns: 300).lines(of: hostile)
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } })
    }

    @Test func omitsTheMiddleOfLongChains() throws {
        var many = try metrics(100)
        many.exchanges = 120
        let lines = Waterfall(glyphs: .ascii, columns: 80).lines(of: many)
        #expect(lines.filter { $0.contains("GET ") }.count == 8)
        #expect(lines.contains { $0.contains("and 112 more") })
        #expect(lines.filter { $0.contains(", after ") }.count == 7)
    }

    @Test func showsExchangesWithoutResponse() throws {
        var metrics = TransferMetrics()
        var one = TransactionMetrics(method: "PUT", url: try TransferURL("http://a.test/"))
        (one.fetchStart, one.responseEnd) = (5, 6)
        metrics.append(one)
        metrics.append(TransactionMetrics(method: "PUT", url: try TransferURL("http://a.test/")))
        let lines = Waterfall(glyphs: .ascii, columns: 80).lines(of: metrics)
        #expect(lines.first == "  PUT http://a.test/: no response")
        #expect(lines.count == 4)
    }

    @Test(arguments: [(0.0, 0.0, 0, 1), (0, 1, 0, 10), (1, 1, 9, 1), (0.5, 0.5, 5, 1), (-3, 9, 0, 10)])
    func everyBarHasAColumn(_ start: Double, _ end: Double, _ offset: Int, _ length: Int) {
        let place = Waterfall.place(.init(name: "", start: start, end: end), begin: 0, end: 1, width: 10)
        #expect(place == (offset, length))
    }

    @Test func theLastEventHasAllMetrics() throws {
        var transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "http://a.test/", file: "a", state: .completed)
        try transfer.edit { $0.metrics = try metrics() }
        var events = JSONEvents()
        let line = events.line(for: TransferEvent(time: 1001, name: .completed, transfer: transfer)) ?? ""
        #expect(
            line.contains(
                "\"redirectCount\":0,\"transactions\":[{\"method\":\"GET\",\"url\":\"https://example.org/file\","
                    + "\"status\":200,"
            ))
        #expect(line.contains("\"secureConnectionStart\":1000.2,") && line.contains("\"remotePort\":443"))
        #expect(!line.contains("tlsCipher"))
    }
}
