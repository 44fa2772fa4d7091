// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

@Suite struct TaskMetricsTests {
    private let url = try! TransferURL("https://a.test/x?key=secret")

    private func outcome(_ change: (inout ExchangeMetrics) -> Void) -> ExchangeOutcome {
        var metrics = ExchangeMetrics()
        (metrics.began, metrics.requestSent, metrics.firstByte, metrics.total) = (1000, 0.5, 0.75, 1)
        metrics.status = 200
        change(&metrics)
        return ExchangeOutcome(progress: .init(received: 7), bodyHandedOver: 9, metrics: metrics)
    }

    @Test func newConnectionsHaveAllStages() {
        let one = TransactionMetrics(
            outcome { ($0.nameLookup, $0.connect, $0.tls, $0.bodySent) = (0.125, 0.25, 0.375, 0.625) },
            url: url, method: .put)
        #expect((one.method, one.url, one.status) == ("PUT", "https://a.test/x?key=…", 200))
        #expect((one.fetchStart, one.domainLookupStart, one.domainLookupEnd) == (1000, 1000, 1000.125))
        #expect(
            (one.connectStart, one.secureConnectionStart, one.secureConnectionEnd, one.connectEnd) == (
                1000.125, 1000.25, 1000.375, 1000.375
            ))
        #expect(
            (one.requestStart, one.requestEnd, one.responseStart, one.responseEnd) == (1000.5, 1000.625, 1000.75, 1001))
        #expect((one.requestBodyBytes, one.responseBodyBytes) == (9, 7))
    }

    @Test func reusedConnectionsHaveNoStages() {
        let one = TransactionMetrics(
            outcome { ($0.nameLookup, $0.connect, $0.isReusedConnection) = (0.1, 0.2, true) }, url: url, method: .get)
        #expect(
            one.domainLookupStart == nil && one.connectStart == nil && one.connectEnd == nil
                && one.secureConnectionStart == nil)
        #expect(one.requestStart == 1000.5 && one.requestEnd == 1000.5)
    }

    @Test func failedConnectionsHaveAnEnd() {
        let one = TransactionMetrics(
            outcome { ($0.requestSent, $0.firstByte, $0.status, $0.nameLookup) = (nil, nil, nil, 0.25) },
            url: url, method: .get)
        #expect(
            one.domainLookupEnd == 1000.25 && one.connectStart == nil && one.requestStart == nil
                && one.responseStart == nil)
        #expect(one.responseEnd == 1001 && one.status == nil)
    }

    @Test func quicHandshakeIsTheConnect() {
        let one = TransactionMetrics(
            outcome { ($0.nameLookup, $0.connect, $0.tls, $0.protocolName) = (0.1, 0.2, 0.2, "h3") }, url: url,
            method: .get)
        #expect(one.secureConnectionStart == one.connectStart && one.connectEnd == 1000.2)
    }

    @Test func unstartedExchangesHaveNoTimes() {
        let one = TransactionMetrics(ExchangeOutcome(failure: .init(.cancelled)), url: url, method: .get)
        #expect(one.fetchStart == nil && one.responseEnd == nil)
    }

    @Test(arguments: [("192.0.2.1", "192.0.2.1:443"), ("2001:db8::1", "[2001:db8::1]:443")])
    func theTaskNamesTheLastEndpoint(_ address: String, _ shown: String) {
        var metrics = TransferMetrics()
        metrics.add(outcome { ($0.remoteAddress, $0.remotePort) = (address, 443) }, url: url, method: .get)
        metrics.add(outcome { _ in }, url: url, method: .get)
        #expect(metrics.remoteAddress == shown)
        #expect(metrics.transactions.count == 2)
        #expect((metrics.bodyReceived, metrics.bodySent) == (14, 18))
    }
}
