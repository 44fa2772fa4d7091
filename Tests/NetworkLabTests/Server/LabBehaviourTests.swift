// SPDX-License-Identifier: MIT

@testable import NetworkLab
import Testing
import TransferModel

@Suite struct LabBehaviourTests {
    @Test func queriesSetTheirParameters() throws {
        var behaviour = LabBehaviour()
        try behaviour.apply(
            query: "wait-head=0.25&wait-first=1&wait-second=2&size=10k&fault=stop-reading&at=5&rate=1k&count=3&times=2")
        #expect(behaviour.waitHead == 0.25)
        #expect(behaviour.waitFirst == 1)
        #expect(behaviour.waitSecond == 2)
        #expect(behaviour.size == 10_240)
        #expect(behaviour.fault == .stopReading)
        #expect(behaviour.place == .bytes(5))
        #expect(behaviour.rate == 1024)
        #expect(behaviour.count == 3)
        #expect(behaviour.times == 2)
        try behaviour.apply(query: "fault=none&lines=3&at=head")
        #expect(behaviour.fault == nil)
        #expect(behaviour.size == 192)
        #expect(behaviour.place == .head)
        let kept = behaviour
        try behaviour.apply(query: "")
        #expect(behaviour == kept)
    }

    @Test(arguments: [
        ("nonsense=1", "no parameter 'nonsense'"), ("fault=nonsense", "no fault 'nonsense'"),
        ("wait-head=-1", "wait-head"),
        ("wait-head=nan", "wait-head"), ("wait-first=1e9", "wait-first"), ("size=ten", "size"), ("size=2T", "size"),
        ("lines=-1", "lines"), ("rate=0", "rate"), ("count=1000000", "count"), ("at=here", "at:"),
        ("version=10000", "version"),
        ("a%zz=1", "escape"), ("wait-head", "wait-head"), ("%1b%5b31m=1", "'[31m'"),
    ])
    func namesInvalidValues(_ query: String, _ words: String) {
        var behaviour = LabBehaviour()
        let error = #expect(throws: TransferError.self) { try behaviour.apply(query: query) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func everyParameterOfTheIndexPageIsKnown() {
        for (name, _) in LabBehaviour.parameters {
            var behaviour = LabBehaviour()
            #expect(throws: Never.self) { try behaviour.set(name, name == "fault" ? "reset" : "1") }
        }
        let page = LabIndexPage.text(origin: "http://127.0.0.1:1")
        for fault in LabFault.allCases { #expect(page.contains("  \(fault.rawValue) ")) }
    }

    @Test func faultsEndAfterTheirCountPerTarget() {
        let memory = LabMemory(capacity: 2)
        #expect(memory.strikes("a", times: 2))
        #expect(memory.strikes("b", times: 1))
        #expect(memory.strikes("a", times: 2))
        #expect(!memory.strikes("a", times: 2))
        #expect(!memory.strikes("b", times: 1))
        #expect(!memory.strikes("c", times: 0))
    }
}

@Suite struct LabContentTests {
    let content = LabContent.lines(size: 1000, version: 7)

    @Test func linesContainOffsetAndVersion() {
        let text = String(decoding: content.bytes(in: 0..<128), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.map { $0.hasPrefix("line 00000000000") } == [true, true])
        #expect(lines[1].hasPrefix("line 000000000002, version 0007 "))
        #expect(lines.allSatisfy { $0.utf8.count == 63 })
    }

    @Test(arguments: [0..<1000, 0..<1, 63..<65, 64..<128, 999..<1000, 500..<500] as [Range<Int64>])
    func everyRangeMatchesTheFile(_ range: Range<Int64>) {
        let whole = content.bytes(in: 0..<1000)
        #expect(whole.count == 1000)
        #expect(content.bytes(in: range) == Array(whole[Int(range.lowerBound)..<Int(range.upperBound)]))
    }

    @Test func linesStartAfterALineEnd() {
        #expect(content.nextLine(after: 0) == 64)
        #expect(content.nextLine(after: 63) == 64)
        #expect(content.nextLine(after: 64) == 128)
        let text = LabContent.text(Array("ab\ncd\n".utf8))
        #expect(text.nextLine(after: 0) == 3)
        #expect(text.nextLine(after: 3) == 6)
        #expect(text.nextLine(after: 6) == 6)
    }
}
