// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import RemoteControl

@Suite struct RemoteAddingTests {
    private func download(_ fixture: RemoteFixture) throws -> Download {
        let spec = try #require(fixture.queue.added.last)
        guard case .download(let download) = spec.operation else { throw TransferError(.other, "an upload") }
        return download
    }

    @Test func oneFileHasMirrors() async throws {
        let fixture = try RemoteFixture()
        let gid = try await fixture.call("addUri", #"["http://a.test/d/x.iso","http://b.test/x.iso"]"#)
        #expect(gid.string == RemoteFixture.gid(1))
        let download = try download(fixture)
        #expect(download.destination == .folder(path: fixture.folder.path, name: "x.iso"))
        #expect(download.mirrors.map(\.url.string) == ["http://b.test/x.iso"])
        #expect(download.existing == .keepsBoth && !download.overwrites)
    }

    @Test func optionsReachTheTransfer() async throws {
        let fixture = try RemoteFixture()
        _ = try await fixture.call(
            "addUri",
            #"""
            ["http://a.test/x"],{"out":"sub/y.iso","header":["Cookie: a=b; c=d; bad","Referer: http://p.test/",
            "X-Key: k","Range: bytes=0-1"],"user-agent":"Browser/1","split":"8","max-connection-per-server":4,
            "max-download-limit":"500K","pause":true,"checksum":"sha-256=\#(String(repeating: "ab", count: 32))",
            "http-user":"me","http-passwd":"pw","allow-overwrite":"true","bt-max-peers":"55","follow-metalink":"false"}
            """#)
        let spec = try #require(fixture.queue.added.last)
        #expect(spec.options.headers.map(\.name.rawName) == ["X-Key"])
        #expect(spec.options.cookies.map(\.name) == ["a", "c"])
        #expect(spec.options.referer?.value == "http://p.test/" && spec.options.userAgent == "Browser/1")
        #expect(spec.options.connections == 4 && spec.options.rateLimit == 500 << 10)
        #expect(spec.options.login == Credential(user: "me", password: "pw"))
        let download = try download(fixture)
        #expect(download.destination == .file(path: fixture.folder.file("sub/y.iso")))
        #expect(download.overwrites && download.existing == .fails && !download.followsMetalink)
        #expect(download.checksum?.algorithm == .sha256)
        #expect(fixture.folder.exists("sub"))
        #expect(fixture.queue.calls(AddParams.self).last?.terms.paused == true)
    }

    @Test func existingFilesKeepTheirNames() async throws {
        let fixture = try RemoteFixture()
        try fixture.folder.write([1], to: "x.iso")
        _ = try await fixture.call("addUri", #"["http://a.test/x"],{"out":"x.iso"}"#)
        #expect(try download(fixture).destination == .file(path: fixture.folder.file("x-2.iso")))
        _ = try await fixture.call("addUri", #"["http://a.test/x"],{"out":"x.iso","auto-file-renaming":"false"}"#)
        #expect(try download(fixture).destination == .file(path: fixture.folder.file("x.iso")))
    }

    @Test(arguments: [
        (#"{"out":"../x"}"#, "leads out"), (#"{"out":"a/../../x"}"#, "leads out"), (#"{"out":"/etc/x"}"#, "leads out"),
        (#"{"out":".bashrc"}"#, "hidden"), (#"{"out":"a/"}"#, "name of a file"), (#"{"out":"a/.."}"#, "leads out"),
        (#"{"dir":"/etc"}"#, "outside of the download folder"), (#"{"dir":"../up"}"#, "leads out"),
        (#"{"dir":"/"}"#, "outside of the download folder"), (#"{"dir":".ssh"}"#, "hidden"),
        (#"{"out":"."}"#, "name of a file"), (#"{"out":"a/."}"#, "name of a file"),
        (#"{"out":".\u0301x"}"#, "hidden"),
        (#"{"max-download-limit":"fast"}"#, "bytes per second"), (#"{"split":"0"}"#, "above 0"),
        (#"{"pause":"perhaps"}"#, "true or false"), (#"{"checksum":"crc=1"}"#, "digest"),
        (#"{"header":["none"]}"#, "field"), (#"{"header":"A: b\u0001"}"#, "field"),
        (#"{"user-agent":"a\r\nB: c"}"#, "field"), (#"{"referer":"a\nb"}"#, "field"),
        (#"{"all-proxy":"http://p.test:1"}"#, "proxies from its environment"), (#"{"gid":"xyz"}"#, "Invalid GID"),
        ("[]", "wrong type"), (#""x""#, "wrong type"),
    ])
    func hostileOptionsAreRefused(_ options: String, _ message: String) async throws {
        let fixture = try RemoteFixture()
        let error = try await fixture.error("addUri", #"["http://a.test/x"],\#(options)"#)
        #expect(error?.contains(message) == true, "\(error ?? "accepted")")
        #expect(fixture.queue.added.isEmpty)
    }

    @Test(arguments: [
        ("[]", "No URI to download."), ("[1]", "No URI to download."), ("\"http://a.test/\"", "wrong type"),
        (#"["file:///etc/passwd"]"#, ""), (#"["ftp://a.test/x"]"#, ""), (#"["http://"]"#, ""), ("", "required"),
    ])
    func otherAddressesAreRefused(_ uris: String, _ message: String) async throws {
        let fixture = try RemoteFixture()
        #expect(try await fixture.error("addUri", uris)?.contains(message) ?? false)
        #expect(fixture.queue.added.isEmpty)
    }

    @Test func folderBelowIsNamedAbsolutely() async throws {
        let fixture = try RemoteFixture()
        _ = try await fixture.call("addUri", #"["http://a.test/x"],{"dir":"\#(fixture.folder.path)/./isos"}"#)
        #expect(try download(fixture).destination == .folder(path: fixture.folder.file("isos"), name: "x"))
        let sibling = try await fixture.error("addUri", #"["http://a.test/x"],{"dir":"\#(fixture.folder.path)2"}"#)
        #expect(sibling?.contains("outside") == true)
    }

    @Test func outsideIsForThoseWhoAllowIt() async throws {
        let other = try TemporaryFolder()
        let fixture = try RemoteFixture { $0.allowsOutside = true }
        _ = try await fixture.call("addUri", #"["http://a.test/x"],{"dir":"\#(other.path)/.a","out":"b"}"#)
        #expect(try download(fixture).destination == .file(path: other.file(".a/b")))
        #expect(try await fixture.error("addUri", #"["http://a.test/x"],{"out":"../b"}"#) != nil)
    }

    @Test func metalinkDocumentsAreRead() async throws {
        let fixture = try RemoteFixture()
        let gids = try await fixture.call("addMetalink", #""YS5pc28=",{"pause":"true"}"#)
        #expect(gids == .array([.string(RemoteFixture.gid(1))]))
        let download = try download(fixture)
        #expect(download.destination == .file(path: fixture.folder.file("a.iso")) && download.size == 7)
        #expect(try await fixture.error("addMetalink", #""%""#) == "the document is not Base64")
    }

    @Test func positionIsAmongTheWaiting() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        _ = try await fixture.call("addUri", #"["http://a.test/x"],{},1"#)
        #expect(fixture.queue.performed.map(\.command) == [.move(.top)])
        #expect(fixture.queue.performed.map(\.ids) == [[2, 6]])
    }

    // MARK: Options of transfers and of the queue

    @Test func optionsOfATransferChange() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five()) { $0.folder = "/d" }
        let gid = "\"\(RemoteFixture.gid(2))\""
        #expect(try await fixture.call("changeOption", #"\#(gid),{"max-download-limit":"1M"}"#).string == "OK")
        #expect(try await fixture.call("changeOption", #"\#(gid),{"max-download-limit":0}"#).string == "OK")
        #expect(fixture.queue.performed.map(\.command) == [.limit(1 << 20), .limit(nil)])
        #expect(try await fixture.call("changeOption", #"\#(gid),{"header":["Cookie: a=b"]}"#).string == "OK")
        #expect(fixture.queue.relocated.map(\.cookies?.count) == [1])
        #expect(try await fixture.error("changeOption", #"\#(gid),{"out":"../x"}"#)?.contains("leads out") == true)
        #expect(try await fixture.call("getOption", gid)["out"] == .string("2"))
    }

    @Test func limitsOfTheQueueChange() async throws {
        let fixture = try RemoteFixture()
        fixture.queue.contents.withLock { $0.limits.isHeld = true }
        let options = #"{"max-concurrent-downloads":"7","max-overall-download-limit":"2M","log-level":"debug"}"#
        #expect(try await fixture.call("changeGlobalOption", options).string == "OK")
        let limits = fixture.queue.contents.withLock(\.limits)
        #expect(limits == QueueLimits(concurrent: 7, download: 2 << 20, isHeld: true))
        let global = try await fixture.call("getGlobalOption")
        #expect(global["max-concurrent-downloads"] == .string("7") && global["dir"] == .string(fixture.folder.path))
    }

    @Test(arguments: [
        "on-download-complete", "log", "save-session", "conf-path", "rpc-secret", "netrc-path", "load-cookies", "dir",
        "max-concurrent-downloads",
    ])
    func optionsOfTheServiceDoNotChange(_ name: String) async throws {
        let fixture = try RemoteFixture()
        #expect(try await fixture.error("changeGlobalOption", #"{"\#(name)":"/tmp/x"}"#) != nil)
        #expect(fixture.queue.calls(SetLimitsCall.self).isEmpty)
    }
}
