// SPDX-License-Identifier: MIT

import Testing

@testable import RemoteControl

@Suite struct RPCValueTests {
    @Test(arguments: [
        (#"{"a":[1,"x",true,null,{}],"b":-2.5e1}"#, #"{"a":[1,"x",true,null,{}],"b":-25}"#),
        (#" [ ] "#, "[]"), (#""é\u00e9\n""#, #""éé\u000a""#), ("0", "0"),
    ])
    func readsAndWrites(_ text: String, _ expected: String) throws {
        let value = try #require(RPCValue(json: Array(text.utf8)))
        #expect(String(decoding: value.json, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\":}", "nul", "nulll", "1 2", "\"\u{1}\"", "{\"a\" 1}", "01", "+1", "[1}", "tru",
        String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 40) + "1",
    ])
    func refusesWhatIsNotJSON(_ text: String) { #expect(RPCValue(json: Array(text.utf8)) == nil) }

    @Test func refusesWhatIsNotUTF8() { #expect(RPCValue(json: [0x22, 0xff, 0x22]) == nil) }

    @Test func depthIsLimited() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(RPCValue(json: nested(RPCValue.maximumDepth)) != nil)
        #expect(RPCValue(json: nested(RPCValue.maximumDepth + 1)) == nil)
    }
}
