// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import HTTPTypes
import SessionCore
import Testing
import TransferModel

@testable import fileq

@Suite struct LoginTests {
    private func credentials(_ words: [String], _ surroundings: CommandEnvironment) throws -> [Credential?] {
        try plan(["get"] + words, surroundings).descriptions.map(\.options.credential)
    }

    @Test func withoutAUserTheSessionUsesNetrc() throws {
        let listener = Listener()
        #expect(try credentials(["http://h/a"], listener.surroundings()) == [nil])
        #expect(listener.prompts.isEmpty)
    }

    @Test func promptsForAPasswordOnce() throws {
        let listener = Listener()
        #expect(
            try credentials(
                ["--for-all-hosts", "--user", "bo", "http://h/a", "http://k/b"], listener.surroundings(password: "p"))
                == [Credential(user: "bo", password: "p"), Credential(user: "bo", password: "p")])
        #expect(listener.prompts == ["Password of bo at h: "])
    }

    @Test func warnsAboutAPasswordInTheArguments() throws {
        let listener = Listener()
        let words = ["--user", "bo:a:b", "http://h/a"]
        // A password from a configuration file is in no process list.
        #expect(try credentials(words, listener.surroundings()) == [Credential(user: "bo", password: "a:b")])
        #expect(listener.warnings.isEmpty)
        #expect(
            try credentials(words, listener.surroundings(arguments: words)) == [Credential(user: "bo", password: "a:b")]
        )
        #expect(listener.warnings.count == 1)
        #expect(listener.warnings.allSatisfy { !$0.contains("a:b") })
    }

    @Test func warnsAboutAPasswordInTheURL() throws {
        let listener = Listener()
        let words = ["http://bo:s%40c@h/a"]
        #expect(
            try credentials(words, listener.surroundings(arguments: words)) == [Credential(user: "bo", password: "s@c")]
        )
        #expect(listener.warnings.count == 1)
    }

    /// Lists come from the web, and name what hosts they like.
    @Test func sendsSecretsToTheFirstServerOnly() throws {
        let folder = try Folder()
        let list = try folder.write(
            "http://h/2\nhttps://h/3\nhttp://h:81/4\nhttp://k/5\n  http-user=al\n  http-passwd=x\n  header=X-Own: 1\n",
            to: "list")
        let listener = Listener()
        let words = [
            "get", "-d", folder.path, "-i", list, "--user", "bo", "-H", "X-Key: k", "-H", "Accept: a/b", "-b", "c=d",
            "--sid", "s", "http://h/1",
        ]
        let options = try plan(words, listener.surroundings(password: "p")).descriptions.map(\.options)
        let bo = Credential(user: "bo", password: "p")
        #expect(options.map(\.credential) == [bo, bo, nil, nil, Credential(user: "al", password: "x")])
        #expect(
            options.map { $0.headers.map(\.name.rawName) }
                == [["X-Key", "Accept"], ["X-Key", "Accept"], ["Accept"], ["Accept"], ["Accept", "X-Own"]])
        #expect(
            options.map { $0.cookies.map(\.name) } == [["c", "fileuploadSID"], ["c", "fileuploadSID"], [], [], []])
        #expect(
            listener.warnings == [
                "sent only to h, not to other servers of this command: X-Key, cookies, --user; --for-all-hosts "
                    + "sends them to all"
            ])
        let all = try plan(words + ["--for-all-hosts"], listener.surroundings(password: "p")).descriptions.map(
            \.options)
        #expect(all.map(\.credential) == [bo, bo, bo, bo, Credential(user: "al", password: "x")])
        #expect(all.allSatisfy { $0.headers.contains { $0.name.rawName == "X-Key" } && $0.cookies.count == 2 })
        #expect(listener.warnings.count == 1)
    }

    @Test func allowDowngradeReachesTheTransfer() throws {
        #expect(try plan(["get", "http://h/a"]).descriptions[0].options.allowsDowngrade == nil)
        #expect(try plan(["get", "--allow-downgrade", "http://h/a"]).descriptions[0].options.allowsDowngrade == true)
    }

    @Test func readsTheFirstLineOfAPasswordFile() throws {
        let folder = try Folder()
        let file = try folder.write("se cret\r\nmore\n", to: "password")
        #expect(
            try credentials(["--user", "bo", "--password-file", file, "http://h/a"], Listener().surroundings())
                == [Credential(user: "bo", password: "se cret")])
        let empty = try folder.write("\n", to: "empty")
        #expect(throws: TransferError.self) {
            try credentials(["--user", "bo", "--password-file", empty, "http://h/a"], Listener().surroundings())
        }
    }

    @Test func netrcEntryAvoidsThePrompt() throws {
        let folder = try Folder()
        let file = try folder.write("machine h login al password 1\nmachine h login bo password 2\n", to: "netrc")
        let listener = Listener()
        let surroundings = listener.surroundings(environment: ["NETRC": file], password: "typed")
        #expect(
            try credentials(["--user", "bo", "http://h/a"], surroundings) == [Credential(user: "bo", password: "2")])
        #expect(listener.prompts.isEmpty)
        #expect(try credentials(["http://cy@h/a"], surroundings) == [Credential(user: "cy", password: "typed")])
        #expect(listener.prompts.count == 1)
    }

    /// Of a file whose passwords are used, or will be after a challenge.
    @Test(
        arguments: [
            (["get", "http://h/a"], "NETRC", 0o644, 1), (["get", "--user", "al", "http://h/a"], "NETRC", 0o640, 1),
            (["get", "http://al@h/a", "http://h/b"], "HOME", 0o604, 1), (["get", "http://h/a"], "NETRC", 0o600, 0),
            (["get", "http://k/a"], "HOME", 0o644, 0), (["add", "http://h/a", "http://h/b"], "HOME", 0o644, 1),
            (["add", "http://h/a"], "NETRC", 0o644, 1),
        ] as [([String], String, UInt32, Int)])
    func warnsAboutAnOpenNetrc(_ words: [String], _ variable: String, _ mode: UInt32, _ count: Int) throws {
        let folder = try Folder()
        let file = try folder.write("machine h login al password s3cret\n", to: ".netrc")
        #expect(chmod(file, mode) == 0)
        let listener = Listener()
        let surroundings = listener.surroundings(environment: [variable: variable == "HOME" ? folder.path : file])
        if words[0] == "add" {
            _ = try addPlan(Array(words.dropFirst()), surroundings)
        } else {
            _ = try plan(words, surroundings)
        }
        #expect(listener.warnings.count == count, "\(listener.warnings)")
        #expect(listener.warnings.allSatisfy { $0.contains("'\(file)'") && !$0.contains("s3cret") })
        #expect(listener.prompts.isEmpty)
    }

    @Test func theFileNamedByNETRCMustExist() throws {
        let folder = try Folder()
        let missing = folder.path + "/missing"
        let list = try folder.write("http://h/a\nhttp://h/b\n", to: "list")
        for file in [missing, folder.path] {
            for words in [["http://h/a"], ["--user", "bo:p", "http://h/a"], ["-d", folder.path, "-i", list]] {
                let surroundings = Listener().surroundings(environment: ["NETRC": file])
                let planned = #expect(throws: TransferError.self) { try plan(["get"] + words, surroundings) }
                let added = #expect(throws: TransferError.self) { try addPlan(words, surroundings) }
                for error in [planned, added] {
                    #expect(error?.code == .usage)
                    #expect(error?.message.contains("NETRC: '\(file)'") == true)
                }
            }
        }
        // None at all, as an empty variable says, and in the home folder.
        for environment in [["NETRC": "/dev/null"], ["NETRC": "", "HOME": folder.path], ["HOME": missing]] {
            let listener = Listener()
            #expect(try credentials(["http://h/a"], listener.surroundings(environment: environment)) == [nil])
            #expect(listener.warnings.isEmpty)
        }
    }

    @Test(arguments: [
        ("machine h login bo password x", "x"), ("machine k login bo password x", nil),
        ("machine h login al password x", nil),
        ("default password d", "d"), ("machine h\n  login bo\n  password \"a b\\\"c\"", "a b\"c"),
        ("# machine h login bo password no\nmachine h password yes", "yes"),
        ("macdef init\nmachine h login bo password no\n\nmachine h login bo password #1", "#1"), ("", nil),
    ])
    func netrcIsRead(text: String, expected: String?) {
        #expect(Netrc(text: text).password(host: "h", user: "bo") == expected)
    }
}

@Suite struct SecretOptionTests {
    @Test func readsHeadersAndCookiesFromFiles() throws {
        let folder = try Folder()
        let headers = try folder.write("Authorization: Bearer t\n\nX-A: 1\n", to: "headers")
        let cookies = try folder.write("# mine\na=1\nb=2\n", to: "cookies")
        let sid = try folder.write("s1\n", to: "sid")
        let options = try plan(["get", "-H", "@\(headers)", "-b", "@\(cookies)", "--sid-file", sid, "http://h/a"])
            .descriptions[0].options
        #expect(options.headers.map { "\($0.name.rawName): \($0.value)" } == ["Authorization: Bearer t", "X-A: 1"])
        #expect(options.cookies.map { "\($0.name)=\($0.value)" } == ["a=1", "b=2", "fileuploadSID=s1"])
    }

    @Test func sendsTheTokenOfAFile() throws {
        let folder = try Folder()
        let file = try folder.write("t0ken\nmore\n", to: "token")
        func headers(_ words: String...) throws -> [String] {
            try plan(["get", "--token-file", file] + words + ["http://h/a"]).descriptions[0].options.headers
                .map { "\($0.name.rawName): \($0.value)" }
        }
        #expect(try headers() == ["Authorization: Bearer t0ken"])
        #expect(try headers("-H", "Authorization: Basic x") == ["Authorization: Basic x"])
        #expect(throws: TransferError.self) { try headers("--user", "bo") }
        let other = try plan(
            ["get", "-d", folder.path, "--token-file", file, "http://h/a", "http://k/b"], Listener().surroundings())
        #expect(other.descriptions.map(\.options.headers.count) == [1, 0])
        let empty = try folder.write("\n", to: "empty")
        #expect(throws: TransferError.self) { try plan(["get", "--token-file", empty, "http://h/a"]) }
    }

    @Test(arguments: [
        ("http://example.org/", ["host", "forever"]), ("http://www.example.org/", ["forever"]),
        ("https://example.org/deep/er", ["deep", "host", "forever", "secure"]),
        ("http://example.org/deeper", ["host", "forever"]),
        ("http://notexample.org/", []),
    ])
    func sendsCookiesToTheirDomainOnly(address: String, names: [String]) throws {
        let lines = [
            "example.org\tFALSE\t/deep\tFALSE\t0\tdeep\t1", "#HttpOnly_example.org\tFALSE\t/\tFALSE\t0\thost\t1",
            ".example.org\tTRUE\t/\tFALSE\t2000\tforever\t1", "example.org\tFALSE\t/\tTRUE\t2000\tsecure\t1",
            ".example.org\tTRUE\t/\tFALSE\t500\tover\t1",
        ]
        let folder = try Folder()
        let file = try folder.write(
            "# Netscape HTTP Cookie File\n" + lines.joined(separator: "\n") + "\n", to: "cookies.txt")
        let made = try plan(["get", "-b", "@\(file)", address], Listener().surroundings(now: 1000))
        #expect(made.descriptions[0].options.cookies.map(\.name) == names)
    }
}
