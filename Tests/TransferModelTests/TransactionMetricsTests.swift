// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing
import TransferModel

@Suite struct TransactionMetricsTests {
    private func transaction(_ number: Int) throws -> TransactionMetrics {
        TransactionMetrics(method: "GET", url: try TransferURL("http://a.test/\(number)"))
    }

    @Test(arguments: [
        ("https://u:p@a.test/x", "https://a.test/x"), ("https://a.test/x?token=secret", "https://a.test/x?token=…"),
        ("http://a.test:8080/?a=1&sig=2#f", "http://a.test:8080/?a=1&sig=…"),
    ])
    func anAddressShowsNoSecret(_ text: String, _ shown: String) throws {
        #expect(TransactionMetrics(method: "GET", url: try TransferURL(text)).url == shown)
    }

    @Test func keepsTheFirstAndLastOfMany() throws {
        var metrics = TransferMetrics()
        for number in 0..<1000 { metrics.append(try transaction(number)) }
        let numbers = metrics.transactions.map { Int($0.url.split(separator: "/").last!)! }
        #expect(numbers == Array(0..<50) + Array(950..<1000))
    }

    @Test func earlierAttemptsComeFirst() throws {
        var earlier = TransferMetrics()
        (earlier.exchanges, earlier.redirects, earlier.bodyReceived, earlier.taskStart) = (2, 1, 10, 100)
        earlier.append(try transaction(1))
        earlier.append(try transaction(2))
        var metrics = TransferMetrics()
        (metrics.exchanges, metrics.bodyReceived, metrics.total, metrics.taskStart, metrics.taskEnd) = (
            1, 5, 3, 200, 203
        )
        metrics.append(try transaction(3))
        metrics.include(earlier: earlier)
        #expect((metrics.exchanges, metrics.redirectCount, metrics.bodyReceived) == (3, 1, 15))
        #expect(metrics.transactions.map(\.url) == ["http://a.test/1", "http://a.test/2", "http://a.test/3"])
        #expect((metrics.taskStart, metrics.taskEnd, metrics.total) == (100, 203, 3))
    }

    @Test func travelsAsJSON() throws {
        var metrics = TransferMetrics()
        var one = try transaction(1)
        (one.fetchStart, one.status, one.tlsVersion, one.isReusedConnection) = (1.5, 200, "TLSv1.3", true)
        metrics.append(one)
        #expect(try JSONDecoder().decode(TransferMetrics.self, from: JSONEncoder().encode(metrics)) == metrics)
    }
}
