// SPDX-License-Identifier: MIT

import Platform
import Testing
import TransferModel

@testable import TransferControl

@Suite struct RemoteMachineTests {
    @Test(
        arguments: [
            ("nas", "nas", nil, nil), ("me@nas", "nas", "me", nil), ("ssh://nas", "nas", nil, nil),
            ("ssh://me@nas:2222", "nas", "me", 2222), ("ssh://me@nas:22/", "nas", "me", 22),
            ("ssh://[::1]:22", "::1", nil, 22), ("::1", "::1", nil, nil), ("ssh://倉庫", "倉庫", nil, nil),
            ("fe80::1%eth0", "fe80::1%eth0", nil, nil), ("a.b-c_d", "a.b-c_d", nil, nil),
        ] as [(String, String, String?, Int?)])
    func readsWhatSSHTakes(_ text: String, _ host: String, _ user: String?, _ port: Int?) throws {
        let machine = try #require(RemoteMachine(text))
        #expect((machine.host, machine.user, machine.port) == (host, user, port))
    }

    /// Options of ssh, words of a shell, other schemes, ports that do not exist.
    @Test(arguments: [
        "", "-oProxyCommand=x", "ssh://-v", "-l@nas", "me@-nas", "na s", "nas;id", "$(id)", "`id`", "nas\n", "nas'",
        "@nas",
        "me@", "ssh://", "http://nas", "ssh://nas:0", "ssh://nas:65536", "ssh://nas:x", "ssh://nas/folder", "a@b@c",
        "nas\u{1b}[2J", "ssh://[::1", "nas/..",
    ])
    func refusesEverythingElse(_ text: String) { #expect(RemoteMachine(text) == nil) }

    @Test func namesTheMachineAfterTheOptions() throws {
        let words = try #require(RemoteMachine("ssh://me@nas:2222")).words(startsService: true, mayAsk: true)
        #expect(Array(words.suffix(7).dropLast()) == ["-p", "2222", "-l", "me", "--", "nas"])
        #expect(words.last?.hasSuffix("exec fileq control --stdio'") == true)
        #expect(!words.contains("BatchMode=yes"))
        let later = try #require(RemoteMachine("nas")).words(startsService: false, mayAsk: false)
        #expect(later.contains("BatchMode=yes") && later.last?.hasSuffix("control --stdio --no-start'") == true)
    }

    @Test(
        arguments: [
            (.exited(code: 255), .cannotConnect), (.exited(code: 127), .usage), (.exited(code: 126), .usage),
            (.exited(code: 9), .cannotConnect), (.exited(code: 0), nil), (.killed(signal: 9), nil), (nil, nil),
        ] as [(Child.Status?, TransferError.Code?)])
    func explainsTheEndOfSSH(_ status: Child.Status?, _ code: TransferError.Code?) {
        #expect(RemoteLauncher.failure(of: "nas", status)?.code == code)
    }
}
