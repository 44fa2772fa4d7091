// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

/// The direct coding against Foundation's: the same JSON, whichever of the two wrote and reads it.
@Suite struct DirectCodingTests {
    static let error: TransferError = {
        var error = TransferError(.timedOut, "example.org: \"no\" answer\n\u{1}\\ 議事録", curlCode: 28, systemErrno: 110)
        (error.fields.networkUnavailableReason, error.fields.networkObstacle) = (
            "expensive", "the network \u{1f4f6} is metered"
        )
        (error.fields.host, error.fields.proxy, error.fields.path) = ("example.org:80", "http://p:1", "/tmp/a")
        (error.fields.status, error.fields.timer, error.fields.certificate) = (407, .request, .selfSigned)
        (error.fields.variant, error.fields.transfer, error.fields.option) = (
            .nothingListens, TransferID(rawValue: 7), "port"
        )
        (error.fields.partialFile, error.fields.partialBytes) = ("a.fileq-part", 8)
        var refusal = TransferError.Refusal(phrase: "No \"Entry\"", reason: "full\u{7f}", demand: .bearerToken)
        (refusal.proxy, refusal.proxyError, refusal.mayLackFolder) = ("squid", "refused", true)
        (refusal.attempts, refusal.retryAfter) = (5, 86_400.5)
        error.fields.refusal = refusal
        error.fields.wait = .notAllowed(.expensive, interface: "wlan0")
        error.fields.problem = TransferProblem(.requestTimeout, 0.5, 1 << 40, 2)
        error.fields.file = FileProblem(.cutShort, bytes: 1, position: 2, holder: 3)
        error.fields.parameter = ParameterProblem("terms", .oneOf, minimum: 1, maximum: 2, choices: ["a", "\"b"])
        error.fields.mismatch = ContentMismatch(.stored, algorithm: "sha256", found: "00", expected: "01")
        error.code = .diskFull
        error.resumeData = ResumeData(
            url: "https://example.org/a", validator: .init(), ranges: .init(), total: 7, partialPath: "/tmp/a",
            bootID: "boot")
        return error
    }()

    static let metrics: TransferMetrics = {
        var metrics = TransferMetrics()
        (metrics.nameLookup, metrics.connect, metrics.tls, metrics.firstByte, metrics.total) = (
            0.001, 0.25, 1e-7, 3, 12.75
        )
        (metrics.bodyReceived, metrics.bodySent, metrics.resumedFrom) = (1 << 40, 2, 3)
        (metrics.exchanges, metrics.redirects, metrics.protocolName, metrics.remoteAddress) = (
            2, 1, "h2", "2001:db8::1"
        )
        (metrics.isReusedConnection, metrics.taskStart, metrics.taskEnd) = (true, 1_700_000_000.125, 1_700_000_012.5)
        var exchange = TransactionMetrics(method: "GET", shownURL: "https://example.org/?sig=…")
        (exchange.status, exchange.fetchType) = (206, .localCache)
        (exchange.fetchStart, exchange.domainLookupStart, exchange.domainLookupEnd, exchange.connectStart) = (
            1, 2, 3.5, 4
        )
        (exchange.secureConnectionStart, exchange.secureConnectionEnd, exchange.connectEnd) = (5, 6, 7)
        (exchange.requestStart, exchange.requestEnd, exchange.responseStart, exchange.responseEnd) = (8, 9, 10, 11.125)
        (exchange.protocolName, exchange.isReusedConnection, exchange.isProxyConnection, exchange.isMultipath) = (
            "h2", true, true, true
        )
        (exchange.remoteAddress, exchange.remotePort, exchange.localAddress, exchange.localPort) = (
            "192.0.2.1", 443, "192.0.2.2", 50_000
        )
        (exchange.tlsVersion, exchange.tlsCipher) = ("TLSv1.3", "AES")
        (exchange.requestHeaderBytes, exchange.requestBodyBytesSent, exchange.requestBodyBytes) = (1, 2, 3)
        (exchange.responseHeaderBytes, exchange.responseBodyBytesReceived, exchange.responseBodyBytes) = (4, 5, 6)
        metrics.transactions = [exchange, TransactionMetrics(method: "HEAD", shownURL: "")]
        return metrics
    }()

    /// Every member, whatever the state.
    static let form: TransferForm = {
        var form = TransferForm(
            id: TransferID(rawValue: 41), kind: .upload, url: "https://example.org/a/b?c=\"d\"",
            file: "/home/user/議事録\t\u{7f}\u{202e}.pdf", state: .waiting)
        form.pausedBy = .queue
        (form.bytes, form.total, form.confirmed, form.rate, form.eta, form.attempt) = (1, 2, 3, 4.5, 1e22, 6)
        (form.longestETA, form.silentSince) = (7.5, 1_700_000_003)
        (form.connections, form.uploadProtocol) = (4, "tus")
        (form.reason, form.retryAt, form.waitingSince, form.unavailableReason) = ("why", 1_700_000_000.5, 8, "cellular")
        (form.advice, form.status, form.rateLimit, form.priority) = ("do this", 503, 9, 0.75)
        form.note = TransferNoteForm(.several([.restarted(.changed, file: "a", bytes: 1), .encoded("gzip")]))
        form.question = .login(.init(host: "example.org", port: 443, scheme: "https", realm: "r", method: "basic"))
        (form.error, form.metrics) = (error, metrics)
        var terms = TransferTerms()
        (terms.earliestBegin, terms.isDiscretionary, terms.session, terms.taskDescription) = (10, true, "s", "t")
        terms.after = [TransferID(rawValue: 3), TransferID(rawValue: 5)]
        terms.batch = TransferBatch(id: "1", name: "a \"list\"")
        form.terms = terms
        (form.addedAt, form.endedAt, form.duration) = (1_700_000_001, 1_700_000_002.000_001, 0.5)
        return form
    }()

    static let full: Transfer = {
        var failed = form
        failed.state = .failed
        return Transfer(failed)
    }()

    static let transfers: [Transfer] = {
        var forms = TransferState.allCases.map { state in
            var sample = form
            sample.state = state
            return sample
        }
        var paused = form
        paused.state = .paused
        for member in [0, 1, 2] {
            if member == 0 { paused.pausedBy = nil }
            if member == 1 { paused.question = nil }
            if member == 2 { paused.error = nil }
            forms.append(paused)
        }
        return forms.map(Transfer.init) + [
            Transfer(id: TransferID(rawValue: 1), kind: .download, url: "", file: "-", state: .queued)
        ]
    }()

    private func direct<Value: DirectlyWritten>(_ value: Value) throws -> [UInt8] {
        var json = JSONWriter()
        try value.write(to: &json)
        return json.bytes
    }

    @Test func samplesSetEveryMember() {
        func absent(_ value: Any) -> [String] {
            Mirror(reflecting: value).children.compactMap { child in
                let mirror = Mirror(reflecting: child.value)
                return mirror.displayStyle == .optional && mirror.children.isEmpty ? child.label : nil
            }
        }
        #expect(absent(Self.form) == [])
        #expect(absent(Self.metrics) == [])
        #expect(absent(Self.metrics.transactions[0]) == [])
        #expect(absent(Self.error) == [])
        #expect(
            Self.form.question != nil && Self.form.error != nil && Self.form.metrics != nil
                && Self.error.resumeData != nil)
    }

    /// Both coders ask the program for sentences.
    @Test func transfersAreWrittenWithTheWordsOfTheProgram() throws {
        let words = TransferWords(reason: { "\($0.state) why" }, advice: { _ in "do this" })
        let transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "u", file: "f",
            status: .waiting(NetworkWait(.silentResolver)))
        let lines = [
            try ControlCoding.line(ListCall.Reply(transfers: [transfer]), words: words),
            try ControlCoding.line(TransferInfo(transfer: transfer), words: words),
        ].map { String(decoding: $0, as: UTF8.self) }
        for line in lines {
            #expect(line.contains(#""reason":"waiting why""#) && line.contains(#""advice":"do this""#), "\(line)")
            #expect(line.contains(#""note":{"code":"silentResolver"}"#), "\(line)")
        }
    }

    @Test func foundationReadsDirectOutput() throws {
        #expect(try ControlCoding.decode(TransferForm.self, from: Data(direct(Self.form))) == Self.form)
        for transfer in Self.transfers {
            #expect(try ControlCoding.decode(Transfer.self, from: Data(direct(transfer))) == transfer)
        }
        let update = WireUpdate(
            subscription: 3, .update(.events([TransferEvent(time: 1.5, name: .changed, transfer: Self.full)])))
        #expect(try ControlCoding.decode(WireUpdate.self, from: Data(direct(update))) == update)
    }

    /// The cause before its number, too.
    @Test func readsErrorMembersInAnyOrder() throws {
        for json in [
            #"{"cause":"diskFull","message":"full","code":23}"#, #"{"code":23,"message":"full","cause":"diskFull"}"#,
        ] {
            #expect(
                try ControlCoding.read(TransferError.self, from: Array(json.utf8)) == TransferError(.diskFull, "full"))
        }
    }

    /// Foundation puts members into any order.
    @Test func readsFoundationOutputDirectly() throws {
        for transfer in Self.transfers {
            for _ in 0..<5 {
                #expect(
                    try ControlCoding.read(Transfer.self, from: Array(ControlCoding.json(transfer))) == transfer
                )
            }
        }
    }

    static let window: WindowUpdate = {
        var update = WindowUpdate(first: 7, count: 9, anchor: 8)
        (update.rows, update.transfers) = ([.group("1"), .transfer(full.id)], [full])
        var sums = ListingSums()
        (sums.states, sums.bytes, sums.progress, sums.left) = (["failed": 3], 1 << 40, 0.5, 7)
        update.groups = [GroupSum(key: "1", isFolded: true, sums: sums)]
        (update.sums, update.counts) = (sums, [1, 2])
        return update
    }()

    @Test(arguments: [
        WireUpdate.Content.update(
            .snapshot(QueueSnapshot(transfers: transfers, limits: .init(concurrent: 2, download: 5)))),
        .update(.events([TransferEvent(time: 1, name: .progress, transfer: full)])),
        .update(.order([TransferID(rawValue: 3)])),
        .update(.order([])), .update(.removed([TransferID(rawValue: 1), TransferID(rawValue: 2)])),
        .update(.limits(.init(upload: 3))), .window(WindowUpdate(first: 0, count: 0, anchor: nil)), .window(window),
        .ended,
    ])
    func updatesRoundTrip(_ content: WireUpdate.Content) throws {
        let update = WireUpdate(subscription: 9, content)
        let line = try ControlCoding.line(Notice(method: ControlNotice.update, params: update)).dropLast()
        guard case .update(let read) = try ServerMessage.read(Array(line)) else {
            Issue.record("no update")
            return
        }
        #expect(read == update)
    }

    @Test func repliesRoundTrip() throws {
        let entries = HistoryCall.Reply(entries: [HistoryEntry(endedAt: 5.25, transfer: Self.full)])
        for id in [MessageID.number(-4), .text("a\"b")] {
            let line = Array(try ControlCoding.line(Reply(id: id, result: entries)).dropLast())
            #expect(try ControlCoding.read(Reply<HistoryCall.Reply>.self, from: line).result == entries)
            guard case .answer(let read) = try ServerMessage.read(line) else {
                Issue.record("no answer")
                return
            }
            #expect(read == id)
        }
    }

    @Test func logsRoundTrip() throws {
        let page = LogPage(
            began: 1.5, oldest: 3, latest: 5,
            entries: [
                LogEntry(sequence: 4, time: 2.25, name: .queued, isNew: true, transfer: Self.transfers[0]),
                LogEntry(sequence: 5, time: 3, name: .failed, transfer: Self.full),
            ])
        #expect(try ControlCoding.decode(LogPage.self, from: Data(direct(page))) == page)
        let line = Array(try ControlCoding.line(Reply(id: .number(1), result: page)).dropLast())
        #expect(try ControlCoding.read(Reply<LogPage>.self, from: line).result == page)
    }

    @Test(arguments: [
        (#"{ "later" : {"a":[1,{"b":"]}"}]} , "transfers" : [ ] , "more":null }"#, true),
        (#"{"transfers":null}"#, false),
        (#"{"transfers":[]"#, false), (#"{"transfers":[{}]}"#, false), ("{}", false), ("", false), ("[]", false),
        (#"{"transfers":[1]}"#, false),
        (
            #"{"transfers":[{"id":1,"kind":"download","url":"a","file":"b","state":"running","bytes":1.5,"#
                + #""attempt":1,"addedAt":1}]}"#,
            false
        ),
        (
            #"{"transfers":[{"id":1,"kind":"download","url":"a","file":"b","state":"flying","bytes":1,"attempt":1,"#
                + #""addedAt":1}]}"#,
            false
        ),
        (
            #"{"transfers":[{"id":1,"kind":"download","url":"a","file":"b","state":"running","bytes":1,"#
                + #""attempt":1,"addedAt":1}]}"#,
            true
        ),
        (#"{"transfers":[{"id":99999999999999999999,"kind":"download"}]}"#, false), (#"{"transfers":["\"#, false),
    ])
    func parsesOrRejectsOtherText(_ text: String, _ isFine: Bool) {
        let read = try? ControlCoding.read(ListCall.Reply.self, from: Array(text.utf8))
        #expect((read != nil) == isFine)
    }

    @Test(arguments: [
        ("\"\"", ""), (#""\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#, "é😀/\u{8}\u{c}\n\r\t\"\\"), ("\"議\"", "議"),
    ])
    func textsAreUnescaped(_ json: String, _ text: String) throws {
        #expect(try JSONReader.read(Array(json.utf8)) { try $0.string() } == text)
    }

    /// Also what integers are read from.
    @Test(arguments: [#""\u+8ee""#, #""\u-000""#, #""\u12g4""#, #""\u 123""#]) func escapesHaveDigitsAlone(
        _ json: String
    ) {
        #expect(throws: JSONReader.Problem.self) { try JSONReader.read(Array(json.utf8)) { try $0.string() } }
    }

    @Test(arguments: [
        ("0", 0.0), ("-1.5e3", -1500), ("123456789012345", 123_456_789_012_345),
        ("1234567890123456789", 1.234567890123456789e18),
        ("\"inf\"", .infinity), ("\"-inf\"", -.infinity), ("1e-7", 1e-7),
    ])
    func numbersAreRead(_ json: String, _ number: Double) throws {
        #expect(try JSONReader.read(Array(json.utf8)) { try $0.double() } == number)
    }

    /// The form of RFC 8259 alone, as Foundation reads it.
    @Test(arguments: ["01", "-01", "00", "+1", ".5", "5.", "1e", "1e+", "-", "", "0x1", "1.2.3", "--1", "1_0"])
    func whatIsNoNumberIsRefused(_ json: String) {
        let bytes = Array(json.utf8)
        #expect(throws: JSONReader.Problem.self) {
            try JSONReader.read(bytes) { reader in
                _ = try reader.double()
                try reader.takeEnd()
            }
        }
        #expect(throws: JSONReader.Problem.self) {
            try JSONReader.read(bytes) { reader in
                _ = try reader.integer(Int.self)
                try reader.takeEnd()
            }
        }
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([Double].self, from: Data("[\(json.isEmpty ? "," : json)]".utf8))
        }
    }
}
