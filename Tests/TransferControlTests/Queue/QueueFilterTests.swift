// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct QueueFilterTests {
    static let now = 1_700_000_000.0

    static let transfers: [Transfer] = {
        func make(
            _ id: Int, _ state: TransferState, _ url: String, _ file: String, total: Int64? = nil,
            _ change: (inout TransferForm) -> Void = { _ in }
        ) -> Transfer {
            var transfer = Transfer(
                id: TransferID(rawValue: id), kind: id % 2 == 0 ? .upload : .download, url: url, file: file,
                state: state)
            (transfer.total, transfer.addedAt) = (total, now - Double(id) * 86_400)
            transfer.edit(change)
            return transfer
        }
        return [
            make(1, .running, "https://example.org/a.iso?x", "/home/a.ISO", total: 1 << 30),
            make(2, .failed, "http://Mirror.example.org:8080/b", "/home/sub/b.tar.gz", total: 10) {
                $0.error = TransferError(.timedOut, "late")
                $0.endedAt = now - 60
            },
            make(3, .completed, "https://[2001:db8::1]:443/c", "議事録.pdf", total: (1 << 30) + 1) {
                $0.endedAt = now - 7200
            },
            make(4, .cancelled, "no address", "-"),
        ]
    }()

    @Test(arguments: [
        ("state:failed", [2]), ("state:failed,running", [1, 2]), ("!state:failed", [1, 3, 4]),
        ("state!=failed", [1, 3, 4]),
        ("!state!=failed", [2]), ("STATE=Failed", [2]), ("name:*.iso", [1]), ("name:*.iso,b.*", [1, 2]), ("name:a", []),
        ("name:?.tar.gz", [2]),
        ("name:???.pdf", [3]), ("file:/home/*", [1, 2]), ("url:*mirror*", [2]), ("host:example.org", [1]),
        ("host:*.example.org", [2]),
        ("host:2001:db8::1", [3]), ("kind:upload", [2, 4]), ("error:28", [2]), ("error:timeout,7", [2]),
        ("!error:timeout", [1, 3, 4]),
        ("size>1G", [3]), ("size>=1G", [1, 3]), ("size<10", []), ("size<=10", [2]), ("size<0", []),
        ("!size>1G", [1, 2, 4]),
        ("added<2d", [1, 2]), ("added>2d", [2, 3, 4]), ("ended<1h", [2]), ("ended>=1h", [3]), ("!ended<1w", [1, 4]),
    ])
    func wordsMatch(_ word: String, _ ids: [Int]) throws {
        let term = try QueueFilter.Term(parsing: word, now: Self.now)
        let filter = QueueFilter(terms: [term])
        #expect(filter.apply(to: Self.transfers).map(\.id.rawValue) == ids)
        // The same on the other side of the wire.
        let sent = try ControlCoding.decode(QueueFilter.self, from: ControlCoding.json(filter))
        #expect(sent == filter)
    }

    @Test(arguments: [
        ("colour:red", "write one of state, kind"), ("state:flying", "'flying' is not a state: queued, running"),
        ("state>1", "write state:VALUE"),
        ("size:1G", "compared with"), ("size", "no value"), ("size>", "no value"), ("size>big", "such as 500k"),
        ("added<2", "such as 30s"),
        ("kind:both", "download or upload"), ("error:999", "number or the name"), ("name:", "no value"),
        ("name:a,,b", "pattern"), ("state:failed,", "''"),
        ("name:" + String(repeating: "a", count: 4097), "4096"),
    ])
    func namesTheError(_ word: String, _ words: String) {
        let error = #expect(throws: TransferError.self) { try QueueFilter.Term(parsing: word, now: Self.now) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func requiresAllConditions() throws {
        let terms = try ["kind:upload", "!state:cancelled"].map { try QueueFilter.Term(parsing: $0, now: Self.now) }
        #expect(QueueFilter(terms: terms).apply(to: Self.transfers).map(\.id.rawValue) == [2])
        #expect(
            QueueFilter(terms: [.init(.ids([2...3, 9...12]))] + terms).apply(to: Self.transfers).map(\.id.rawValue) == [
                2
            ])
        #expect(QueueFilter(ids: [TransferID(rawValue: 3)], terms: terms).apply(to: Self.transfers).isEmpty)
        #expect(QueueFilter().apply(to: Self.transfers).count == 4)
    }

    @Test(arguments: [
        ("*", "", true), ("*", "anything", true), ("a*b*c", "aXbYc", true), ("a*b*c", "acb", false), ("?", "é", true),
        ("?", "", false),
        ("**a", "bba", true), ("a", "A", true), ("[a]", "a", false),
        ("*a*a*a*a*b", String(repeating: "a", count: 500), false), ("é*", "éa", true),
    ])
    func patternsMatchTheWholeText(_ pattern: String, _ text: String, _ fits: Bool) throws {
        #expect(try GlobPattern(pattern).fits(text) == fits)
    }

    /// A condition that is not understood must never be left out: `clear` would forget more than was meant.
    @Test(arguments: [
        #"[{"colour":["red"]}]"#, #"[{}]"#, #"[{"not":true}]"#, #"[{"state":[]}]"#, #"[{"state":["flying"]}]"#,
        #"[{"state":["failed"],"kind":["upload"]}]"#,
        #"[{"size":{"from":2,"to":1}}]"#, #"[{"name":[""]}]"#, #"[{"state":"failed"}]"#, #"{}"#,
    ])
    func rejectsInvalidTerms(_ terms: String) async throws {
        try await onStage { stage async throws in
            let peer = try await stage.peer()
            let answer = await peer.ask("clear", "{\"terms\":\(terms)}")
            #expect(answer?["error"] != nil)
            #expect(try await stage.testQueue.snapshot().transfers.count == 2)
        }
    }
}
