// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct OutputWordsTests {
    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00.000Z"), (951_782_399.5, "2000-02-28T23:59:59.500Z"),
        (951_782_400.0, "2000-02-29T00:00:00.000Z"), (1_700_000_000.012, "2023-11-14T22:13:20.012Z"),
        (4_107_542_400.0, "2100-03-01T00:00:00.000Z"),
    ])
    func timesAreRFC3339(seconds: Double, expected: String) {
        #expect(Timestamp.text(seconds) == expected)
    }

    @Test func eventFieldsAreInTheDocumentedOrder() {
        var script = Script(id: 7, total: 100)
        var events = JSONEvents()
        let line = events.line(
            for: script.event(.failed, .failed) {
                $0.bytes = 40
                $0.confirmed = 30
                $0.attempt = 2
                $0.reason = "a \"reason\"\n\u{202e}\u{9b}"
                $0.status = 503
                $0.error = TransferError(.httpStatus, "example.org: 503")
            })
        #expect(
            line == """
                {"time":"2023-11-14T22:13:20.000Z","event":"failed","id":7,"kind":"download",\
                "url":"http://example.org/big.iso","file":"big.iso","state":"failed","bytes":40,"total":100,\
                "confirmed":30,\
                "attempt":2,"reason":"a \\"reason\\"\\n\\u202e\\u009b","status":503,\
                "error":{"code":22,"name":"http-status","message":"example.org: 503"}}\n
                """)
        let running = events.line(
            for: script.event(.progress, .running) {
                $0.rate = 12.6
                $0.eta = 4.7614
            })
        #expect(running?.contains(#""confirmed":30,"rate":13,"eta":4.761,"attempt":2,"#) == true)
    }

    @Test(arguments: [
        (TransferKind.download, "site/a/index.html", "index.html: "),
        (.upload, "site/a/index.html", "site/a/index.html: "), (.upload, "-", "standard input: "),
    ])
    func quietLinesTellUploadsApart(_ kind: TransferKind, _ file: String, _ name: String) {
        var script = Script(kind: kind, file: file)
        let transfer = script.failed(.httpStatus, "example.org: 503").transfer
        let words = MessageCatalog.text(of: TransferError(.httpStatus, "example.org: 503"))
        #expect(QuietDisplay.line(of: transfer, among: 1) == words)
        #expect(QuietDisplay.line(of: transfer, among: 2) == name + words)
    }

    private static let signed =
        "https://s3.example.org/b/k?X-Amz-Date=1&X-Amz-Signature=hush&x-amz-credential=hush%2F1&token=hush"
    private static let shown = "https://s3.example.org/b/k?X-Amz-Date=1&X-Amz-Signature=…&x-amz-credential=…&token=…"

    @Test func hidesSignaturesAndTokens() throws {
        var script = Script(id: 7, total: 100)
        script.transfer.url = Self.signed
        var (events, lines) = (JSONEvents(), PlainLines())
        let event = script.event(.started, .running)
        let (object, line) = (events.line(for: event), lines.line(for: event, ended: nil))
        #expect(object?.contains("\"url\":\"\(Self.shown)\"") == true)
        #expect(line == "started big.iso from \(Self.shown)")
        var attempt = TransferAttempt(number: 1, startedAt: 0, url: Self.signed, firstByte: 0)
        attempt.error = TransferError(.other, "x")
        let info = TransferInfo(transfer: script.transfer, attempts: [attempt])
        let whole = QueueJSON.object(info).object
        #expect(!whole.contains("hush") && whole.contains("X-Amz-Signature="))
    }

    @Test func infoShowsUntilWhenAnUploadIsKept() {
        var info = TransferInfo(transfer: Script(id: 7, total: 100).transfer)
        let layout = InfoLayout(screen: nil, localTime: .utc)
        #expect(!layout.lines(of: info).contains { $0.hasPrefix("kept until") })
        #expect(!QueueJSON.object(info).object.contains("uploadExpires"))
        info.uploadExpires = 1_700_000_000
        #expect(layout.lines(of: info).contains("kept until  \(Timestamp.text(1_700_000_000)) by the server"))
        #expect(QueueJSON.object(info).object.contains("\"uploadExpires\":\"2023-11-14T22:13:20.000Z\""))
    }

    @Test func showsTheRedirectedURL() throws {
        var script = Script(id: 7, total: 100)
        var metrics = TransferMetrics()
        (metrics.redirects, metrics.exchanges) = (1, 2)
        metrics.transactions = [
            TransactionMetrics(method: "GET", url: try TransferURL("http://example.org/big.iso")),
            TransactionMetrics(method: "GET", url: try TransferURL("https://cdn.example.net:8443/x/y?sig=hush")),
        ]
        let event = script.event(.completed, .completed) {
            $0.metrics = metrics
            $0.bytes = 100
        }
        var (events, lines) = (JSONEvents(), PlainLines())
        let (object, line) = (events.line(for: event), lines.line(for: event, ended: nil))
        #expect(object?.contains("\"finalURL\":\"https://cdn.example.net:8443/x/y") == true)
        #expect(line?.contains(", from https://cdn.example.net:8443") == true)
        metrics.transactions[1] = TransactionMetrics(method: "GET", url: try TransferURL("http://example.org/other"))
        let same = script.event(.completed, .completed) { $0.metrics = metrics }
        #expect(same.transfer.finalURL == nil)
    }

    @Test func waitingHasSinceAndNetwork() {
        var script = Script(id: 7)
        var events = JSONEvents()
        let line = events.line(
            for: script.event(.waiting, .waiting) {
                $0.reason = "only an expensive network (wwan0) is up"
                $0.waitingSince = 1_700_000_000
                $0.unavailableReason = "expensive"
            })
        #expect(
            line?.contains(
                """
                "reason":"only an expensive network (wwan0) is up","since":"2023-11-14T22:13:20.000Z",\
                "network":"expensive"}
                """) == true)
        let failed = events.line(
            for: script.event(.failed, .failed) {
                ($0.reason, $0.waitingSince, $0.unavailableReason) = (nil, nil, nil)
                $0.error = TransferError(.cannotConnect, "h: no network interface is up")
                $0.error?.fields.networkObstacle = "no network interface is up"
                $0.error?.fields.networkUnavailableReason = "cellular"
            })
        #expect(
            failed?.contains(
                """
                "message":"h: no network interface is up","reason":"no network interface is up","network":"cellular"}
                """) == true)
    }

    @Test(arguments: [
        (958.0, "waiting 0:42 · wlan0 is down"), (399.5, "waiting 10:00 · wlan0 is down"),
        (1001, "waiting 0:00 · wlan0 is down"),
    ])
    func waitsCountUp(since: Double, expected: String) {
        var transfer = Script().transfer
        transfer.edit { ($0.state, $0.waitingSince, $0.reason) = (.waiting, since, "wlan0 is down") }
        #expect(StateNote.text(of: transfer, now: 1000) == expected)
    }

    /// The cause stays where the whole text does not fit.
    @Test func shorterNotesKeepTheCause() {
        var retrying = Script().transfer
        retrying.status = .retrying(
            at: 1012,
            .failure(TransferError(.httpStatus, .init(phrase: "Service Unavailable"), host: "h", status: 503)))
        retrying.attempt = 3
        #expect(
            StateNote.texts(of: retrying, now: 1000) == [
                "retrying in 0:12 (attempt 3): h: returned 503 Service Unavailable",
                "retrying in 0:12 (attempt 3): 503 Service Unavailable", "retrying in 0:12 (attempt 3): HTTP 503",
                "503 Service Unavailable, again in 0:12", "HTTP 503, again in 0:12",
            ])
        var waiting = Script().transfer
        waiting.status = .waiting(.init(.network(.obstacle(.noInterface)), since: 990))
        #expect(StateNote.texts(of: waiting, now: 1000).last == "waits: no network")
    }

    @Test func unknownFieldsAreAbsent() {
        var script = Script()
        var events = JSONEvents()
        #expect(
            events.line(for: script.event(.queued, .queued)) == """
                {"time":"2023-11-14T22:13:20.000Z","event":"queued","id":1,"kind":"download",\
                "url":"http://example.org/big.iso","file":"big.iso","state":"queued","bytes":0,"attempt":1}\n
                """)
        #expect(events.line(for: script.event(.changed, .queued)) == nil)
    }

    @Test func progressComesFourTimesASecondATransfer() {
        var (one, two) = (Script(id: 1), Script(id: 2))
        var events = JSONEvents()
        var written = 0
        for _ in 0..<100 {
            if events.line(for: one.event(.progress, .running, after: 0.01)) != nil { written += 1 }
            if events.line(for: two.event(.progress, .running, after: 0.01)) != nil { written += 1 }
        }
        #expect(written <= 10)
        #expect(written >= 6)
    }

    @Test func formatsPlainLines() {
        var script = Script(total: 1000)
        var lines = PlainLines()
        func line(_ event: TransferEvent) -> String? { lines.line(for: event, ended: nil) }
        #expect(line(script.event(.queued, .queued)) == "queued big.iso, download 1")
        #expect(line(script.event(.started, .running)) == "started big.iso from http://example.org/big.iso")
        #expect(line(script.event(.progress, .running, after: 1) { $0.bytes = 100 }) == nil)
        let progress = script.event(.progress, .running, after: 5) {
            $0.bytes = 500
            $0.rate = 100
            $0.eta = 5
        }
        #expect(line(progress) == "progress big.iso: 50%, 500B of 1000B, 100B/s, 0:05 left" || line(progress) == nil)
        #expect(line(script.event(.waiting, .waiting) { $0.reason = "no route" }) == "waiting big.iso: no route")
        #expect(
            line(
                script.event(.waiting, .waiting, after: 41) {
                    $0.unavailableReason = "expensive"
                    $0.reason = "only LTE"
                })
                == "waiting big.iso: only LTE; --now would use it anyway")
        #expect(
            line(
                script.event(.started, .running, after: 1) {
                    $0.unavailableReason = nil
                    $0.reason = nil
                    $0.bytes = 500
                })
                == "started big.iso at byte 500, after waiting 0:42")
        #expect(line(script.event(.started, .running)) == "started big.iso from http://example.org/big.iso")
        let retrying = script.event(.retrying, .retrying) {
            $0.retryAt = 1e12
            $0.attempt = 2
            $0.reason = "reset"
        }
        #expect(line(retrying) == "retrying big.iso in -- (attempt 2): reset")
        #expect(line(script.failed(.cannotConnect, "example.org: refused")) == "failed big.iso: example.org: refused")
    }

    @Test func everyRestartHasItsReason() {
        var script = Script(total: 1000)
        var lines = PlainLines()
        let reason = "started from the first byte: the file changed on the server"
        for _ in 0..<3 {
            let restarted = script.event(.restarted, .running) { $0.reason = reason }
            #expect(lines.line(for: restarted, ended: nil) == "restarted big.iso: \(reason)")
            let progress = script.event(.progress, .running, after: 1)
            #expect(lines.line(for: progress, ended: nil)?.contains(reason) != true)
        }
    }

    @Test func reportsRestartsAndNotesOnce() {
        var script = Script(total: 1000)
        var lines = PlainLines()
        var objects = JSONEvents()
        func line(_ event: TransferEvent) -> String? { lines.line(for: event, ended: nil) }
        let reason = "started from the first byte: the file changed on the server"
        let restarted = script.event(.restarted, .running) { $0.reason = reason }
        #expect(line(restarted) == "restarted big.iso: \(reason)")
        #expect(objects.line(for: restarted)?.contains("\"event\":\"restarted\"") == true)
        #expect(objects.line(for: restarted)?.contains("\"reason\":\"\(reason)\"") == true)
        #expect(
            line(script.event(.progress, .running) { $0.reason = "this server does not allow resuming" })
                == "note big.iso: this server does not allow resuming")
        #expect(
            line(script.event(.progress, .running, after: 1)) != "note big.iso: this server does not allow resuming")
    }

    @Test func resumedDownloadsShowTheirOffset() {
        var transfer = Script(total: 1_048_576).transfer
        transfer.bytes = 1_048_576
        var metrics = TransferMetrics()
        (metrics.resumedFrom, metrics.bodyReceived, metrics.exchanges) = (524_288, 524_288, 2)
        (metrics.protocolName, metrics.remoteAddress, metrics.total) = ("h2", "192.0.2.1:443", 1.5)
        transfer.edit { ($0.state, $0.metrics) = (.completed, metrics) }
        #expect(
            ResultText.success(.init(transfer: transfer, elapsed: 2))
                == "1.00M in 2.0 s, 256K/s, resumed at byte 524288 (512K moved)")
        // To the nearest second: the rate is that of the time.
        #expect(ResultText.success(.init(transfer: transfer, elapsed: 2.4)).hasPrefix("1.00M in 2.4 s, "))
        #expect(ResultText.metrics(metrics) == "h2, 192.0.2.1:443, resumed from byte 524288, 2 exchanges, all 1.5 s")
    }

    @Test func reportsAnExistingFile() {
        var transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "https://example.org/a", file: "a",
            state: .completed)
        transfer.bytes = 2048
        transfer.edit { $0.metrics = TransferMetrics() }
        #expect(
            ResultText.success(.init(transfer: transfer, elapsed: 1)) == "2.00K, already present with this checksum")
    }
}
