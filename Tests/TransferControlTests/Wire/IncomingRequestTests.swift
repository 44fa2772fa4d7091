// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferControl

@Suite struct IncomingRequestTests {
    private static func code(_ text: String) -> Int? {
        if case .failure(let error) = IncomingRequest.read(Array(text.utf8)).content {
            error.code.rawValue
        } else {
            nil
        }
    }

    @Test(arguments: [
        ("", -32700), ("{", -32700), ("nonsense", -32700), (#"{"jsonrpc":"2.0","#, -32700),
        (#"{"a":1}{"b":2}"#, -32700),
        ("[]", -32600), ("1", -32600), ("null", -32600), (#""text""#, -32600),
        (#"[{"jsonrpc":"2.0","id":1,"method":"list"}]"#, -32600),
        ("{}", -32600), (#"{"jsonrpc":"1.0","id":1,"method":"list"}"#, -32600),
        (#"{"jsonrpc":2.0,"id":1,"method":"list"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"list"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"list"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":{},"method":"list"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"explode"}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"LIST"}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"add"}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"add","params":[]}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"info","params":{"id":"one"}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"list","params":{"states":["sleeping"]}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"perform","params":{"command":"explode","ids":[1]}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"perform","params":{"command":"move","ids":[1]}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"perform","params":{"command":"limit","ids":[1]}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"window","params":{"sort":"colour"}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"window","params":{"before":300,"after":300}}"#, -32000),
        (#"{"jsonrpc":"2.0","id":1,"method":"window","params":{"filters":["state:asleep"]}}"#, -32000),
        (#"{"jsonrpc":"2.0","id":1,"method":"perform","params":{"command":"limit","rate":0,"ids":[1]}}"#, -32000),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"perform","params":{"command":"priority","priority":2,"ids":[1]}}"#,
            -32000
        ),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"perform","params":{"command":"pause","ids":[99999999999999999999]}}"#,
            -32602
        ),
    ])
    func errorsHaveACode(_ text: String, _ code: Int) { #expect(Self.code(text) == code) }

    @Test func rejectsInvalidUTF8() {
        let bytes = Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xff, 0xfe] + Array("\"}".utf8)
        guard case .failure(let error) = IncomingRequest.read(bytes).content else { return #expect(Bool(false)) }
        #expect(error.code == .parseError)
    }

    /// Deep nesting must not take the service's stack.
    @Test(arguments: ["[", #"{"a":"#]) func limitsDepth(_ opening: String) {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"list","params":"# + String(repeating: opening, count: 500_000)
        #expect(Self.code(text) == -32700)
    }

    @Test func errorsNameThePathNotTheValue() throws {
        let line =
            #"{"jsonrpc":"2.0","id":1,"method":"add","params":{"transfers":[{"url":"http://a/","#
            + #""download":{"file":"/a"}},{"url":{"secret":"hunter2"}}]}}"#
        guard case .failure(let error) = IncomingRequest.read(Array(line.utf8)).content else {
            return #expect(Bool(false))
        }
        #expect(error.message == "params.transfers[1].url.address is missing")
    }

    @Test func parsesIDsAndNotifications() {
        func read(_ text: String) -> IncomingRequest { IncomingRequest.read(Array(text.utf8)) }
        #expect(read(#"{"jsonrpc":"2.0","id":7,"method":"list"}"#).id == .number(7))
        #expect(read(#"{"jsonrpc":"2.0","id":"seven","method":"list"}"#).id == .text("seven"))
        #expect(read(#"{"jsonrpc":"2.0","method":"list"}"#).isNotification)
        #expect(!read(#"{"jsonrpc":"2.0","id":7,"method":"list"}"#).isNotification)
        #expect(read(#"{"jsonrpc":"2.0","id":7,"method":"nothing"}"#).id == .number(7))
    }

    private static let window: WindowRequest = {
        var request = WindowRequest()
        request.spec.view = .problems
        request.spec.filters = ["size>1G", "夏"]
        request.spec.order = ListOrder(key: .rate, isReversed: true)
        (request.spec.grouping, request.spec.folded, request.spec.home) = (.place, ["b", "a"], "/home/user")
        request.spec.counted = ["state:failed"]
        (request.anchor, request.index, request.before, request.after) = (.group("a"), 7, 128, 384)
        return request
    }()

    private static let asked = ConsentQuestion.login(
        .init(host: "a.test", port: 80, scheme: "http", realm: "r", method: "basic"))

    private static let calls: [any ControlCall] = [
        ClientHello(protocol: 1, version: "0.1.0", program: "fileq"), SnapshotCall(), GetLimitsCall(),
        GetTimetableCall(),
        RatesCall(seconds: 9), RatesCall(id: TransferID(rawValue: 4)), RatesCall(series: true), UndoCall(),
        StatusCall(), PingCall(),
        ShutDownCall(),
        ListCall(QueueFilter(ids: [TransferID(rawValue: 1)], states: [.failed], kind: .upload)),
        ListCall(QueueFilter()), WindowCall(WindowRequest()), WindowCall(window, subscription: 4),
        SubscribeCall(4, window: window),
        InfoCall(id: TransferID(rawValue: 3)), SubscribeCall(4, session: nil), SubscribeCall(4, session: "s"),
        UnsubscribeCall(subscription: 4),
        SessionEventsCall(session: "s", limit: 3),
        AcknowledgeCall(session: "s", upTo: 9),
        ListCall(QueueFilter(session: "s")), ClearCall(QueueFilter(states: [.completed])),
        PerformCall(.pause, on: [TransferID(rawValue: 1), TransferID(rawValue: 2)]),
        PerformCall(.resume, on: []),
        PerformCall(.retry, on: []),
        PerformCall(.cancel(deletingPartial: true), on: []),
        PerformCall(.move(.bottom), on: []),
        PerformCall(.remove, on: []),
        PerformCall(.limit(500), on: []),
        PerformCall(.limit(nil), on: []),
        PerformCall(.priority(0.75), on: []),
        PerformCall(.liftRestrictions, on: []),
        PerformCall(.schedule(1_800_000_000), on: []),
        PerformCall(.schedule(nil), on: []),
        PerformCall(.after([TransferID(rawValue: 3)]), on: [TransferID(rawValue: 4)]), PerformCall(.after([]), on: []),
        PerformCall(.trust(.always), on: []),
        PerformCall(.login(Credential(user: "u", password: "p"), .once), on: []),
        PerformCall(.login(Credential(user: "u", password: "p"), .once, to: asked), on: []),
        PerformCall(.decline(), on: []),
        PerformCall(.decline(to: asked), on: []),
        PerformCall(.hold, on: [TransferID(rawValue: 1)]),
        PerformCall(.dismiss, on: [TransferID(rawValue: 2)]),
        AttendCall(attends: true),
        SetLimitsCall(QueueLimits(concurrent: 2, download: 1000, upload: nil)),
        SetLimitsCall(QueueLimits(isHeld: true)), SetLimitsCall(isHeld: false),
        LogCall(), LogCall(after: 7, limit: 10), LogCall(before: 9, id: TransferID(rawValue: 4)),
        SetTimetableCall(
            LimitTimetable(entries: [.init(days: [.mon, .sun], from: 60, to: 30, download: 1, upload: 2)])),
        HistoryCall(
            filter: QueueFilter(kind: .download), before: .init(endedAt: 5.25, id: TransferID(rawValue: 9)), limit: 10),
    ]

    /// What the client writes is what the server reads.
    @Test func callsComeThrough() throws {
        func check<Call: ControlCall>(_ call: Call) throws {
            let line = try ControlCoding.line(OutgoingRequest(id: .number(5), call: call))
            #expect(line.last == UInt8(ascii: "\n"))
            let incoming = IncomingRequest.read(Array(line.dropLast()))
            #expect(incoming.id == .number(5))
            #expect(try incoming.content.get() as? Call == call)
        }
        for call in Self.calls { try check(call) }
    }

    @Test func paramsAreAbsentOrIgnoredWhereThereAreNone() throws {
        let line = try ControlCoding.line(OutgoingRequest(id: .number(5), call: PingCall()))
        #expect(JSONValue(String(decoding: line, as: UTF8.self))?["params"] == nil)
        for text in [
            #"{"jsonrpc":"2.0","id":1,"method":"service.ping","params":[7]}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#,
        ] { #expect(Self.code(text) == nil, "\(text)") }
    }

    @Test func everyCommandIsSampledAndSpecified() throws {
        var names: Set<WireCommand.Name> = []
        for case let call as PerformCall in Self.calls {
            let written = JSONValue(String(decoding: try ControlCoding.line(call), as: UTF8.self))
            let name = try #require(written?["command"]?.text)
            names.insert(try #require(WireCommand.Name(rawValue: name)))
        }
        #expect(names == Set(WireCommand.Name.allCases))
        for name in WireCommand.Name.allCases {
            #expect(SpecificationTests.document.contains("`\(name.rawValue)`"), "\(name)")
        }
    }

    /// Adding and relocating have tests of their own.
    @Test func everyMethodIsSampled() {
        let methods = Self.calls.map { type(of: $0).method }
        #expect(Set(methods).union(["add", "relocate"]) == Set(ControlCalls.all.map { $0.method }))
    }

    @Test func relocationsSurvive() throws {
        let place = Relocation(
            url: try TransferURL("https://me:s3cr%40t@example.org/new"), headers: [.init(name: "X-Key", value: "k")],
            cookies: [try Cookie(name: "a", value: "b")], credential: Credential(user: "u", password: "p"), sid: "SID",
            clientIdentity: ClientIdentity(certificate: "/c.pem", key: "/k.pem", passphrase: Secret("x")))
        for place in [
            place, Relocation(file: "/home/user/b.iso", existing: .overwrites),
            Relocation(folder: "/home/user", existing: .updates),
        ] {
            let call = RelocateCall(TransferID(rawValue: 2), to: place)
            let line = try ControlCoding.line(OutgoingRequest(id: .number(5), call: call))
            let params = try #require(
                try IncomingRequest.read(Array(line.dropLast())).content.get() as? RelocateCall)
            #expect(params.id == TransferID(rawValue: 2))
            #expect(params.place == place)
        }
    }

    @Test(arguments: [
        #""file":"b.iso""#, #""file":"/home/user/""#, #""file":"/home/..""#, #""folder":"x""#,
        #""file":"/a","folder":"/b""#, #""existing":"asks""#,
    ]) func refusesOtherFiles(_ members: String) {
        #expect(Self.code(#"{"jsonrpc":"2.0","id":1,"method":"relocate","params":{"id":1,\#(members)}}"#) != nil)
    }

    @Test(
        arguments: [
            (#"{"isHeld":true}"#, SetLimitsCall(isHeld: true)),
            (#"{"isHeld":false,"later":1}"#, SetLimitsCall(isHeld: false)),
            (#"{"concurrent":3}"#, SetLimitsCall(QueueLimits(concurrent: 3))),
            (#"{"concurrent":3,"isHeld":true}"#, SetLimitsCall(QueueLimits(concurrent: 3, isHeld: true))),
            (#"{"isHeld":null}"#, nil), (#"{"isHeld":1}"#, nil), (#"{"isHeld":true,"upload":5}"#, nil), ("{}", nil),
        ] as [(String, SetLimitsCall?)])
    func limitsAreSetAllOrNone(_ params: String, _ expected: SetLimitsCall?) {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"limits.set","params":\#(params)}"#
        let read = try? IncomingRequest.read(Array(line.utf8)).content.get() as? SetLimitsCall
        #expect(read == expected)
        #expect((Self.code(line) == nil) == (expected != nil))
    }

    @Test(arguments: [#""at":-1"#, #""at":"soon""#, #""at":1e300"#, #""to":1"#])
    func refusesOtherTimes(_ members: String) {
        let params = #"{"command":"schedule","ids":[1],\#(members)}"#
        #expect(Self.code(#"{"jsonrpc":"2.0","id":1,"method":"perform","params":\#(params)}"#) != nil)
    }
}
