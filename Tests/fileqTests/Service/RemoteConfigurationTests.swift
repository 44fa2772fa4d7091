// SPDX-License-Identifier: MIT

import Foundation
import RemoteControl
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct RemoteConfigurationTests {
    private func read(_ text: String) throws -> RemoteSettings {
        let file = try ConfigurationFile(path: "/c", text: text)
        try file.check(against: CommandInventory.program)
        return try file.remoteSettings()
    }

    @Test func defaultsAreOfLoopback() throws {
        let settings = try read("")
        #expect(settings.host == "127.0.0.1" && settings.port == 6800 && settings.tls == nil)
        #expect(!settings.allowsOutside && !settings.allowsShutdown && settings.origins.isEmpty)
    }

    @Test func everyKeyIsRead() throws {
        let settings = try read(
            """
            [rpc]
            host = "192.0.2.1"
            port = 7000
            tls-cert = "/c.pem"
            tls-key = "/k.pem"
            names = ["nas.test"]
            origins = ["https://a.test", "null"]
            dir = "/data//in/"
            allow-outside = true
            allow-shutdown = true
            """)
        var expected = RemoteSettings(secret: "", folder: "/data/in")
        (expected.host, expected.port) = ("192.0.2.1", 7000)
        expected.tls = .init(certificatePath: "/c.pem", keyPath: "/k.pem")
        (expected.names, expected.origins) = (["nas.test"], ["https://a.test", "null"])
        (expected.allowsOutside, expected.allowsShutdown) = (true, true)
        #expect(settings == expected)
    }

    @Test(arguments: [
        "rpc = true", "[rpc]\nhots = \"a\"", "[rpc]\nhost = \"0.0.0.0\"", "[rpc]\nhost = 1", "[rpc]\nport = 65536",
        "[rpc]\nport = \"1\"", "[rpc]\ntls-cert = \"/c\"", "[rpc]\ndir = \"relative\"", "[rpc]\nnames = \"a\"",
        "[rpc]\norigins = [1]", "[rpc]\nallow-outside = \"yes\"",
    ])
    func mistakesAreRefused(_ text: String) {
        let error = #expect(throws: TransferError.self) { try read(text) }
        #expect(error?.code == .usage && error?.message.hasPrefix("/c:") == true)
    }

    @Test func secretIsMadeOnceAndPrivate() throws {
        let folder = try TemporaryFolder()
        let places = RemotePlaces(marker: folder.file("state/rpc-enabled"), secret: folder.file("rpc-secret"))
        chmod(folder.path, 0o700)
        #expect(throws: TransferError.self) { try places.readSecret() }
        try places.makeSecret(keeping: true)
        let secret = try places.readSecret()
        #expect(secret.utf8.count == 32)
        try places.makeSecret(keeping: true)
        #expect(try places.readSecret() == secret)
        try places.makeSecret(keeping: false)
        #expect(try places.readSecret() != secret)
        chmod(places.secret, 0o644)
        #expect(throws: TransferError.self) { try places.readSecret() }
        #expect(throws: TransferError.self) { try places.makeSecret(keeping: true) }

        #expect(!places.isEnabled)
        try places.enable()
        #expect(places.isEnabled)
        try places.disable()
        try places.disable()
        #expect(!places.isEnabled)
    }

    /// Also with a file that is broken by then.
    @Test func watchFollowsTheMarker() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o700)
        let places = RemotePlaces(marker: folder.file("rpc-enabled"), secret: folder.file("rpc-secret"))
        let path = folder.file("config.toml")
        let watch = try ConfigurationWatch(path: path, remote: places)
        #expect(watch.values.remote == nil)
        func applied() -> [RemoteSettings?] {
            var applied: [RemoteSettings?] = []
            watch.check(report: { _ in }, apply: { applied.append($0.remote) })
            return applied
        }
        try places.makeSecret(keeping: true)
        try places.enable()
        #expect(try applied().map { $0?.secret } == [places.readSecret()])
        #expect(applied().isEmpty)
        try folder.write(Array("[rpc]\nport = 'x'\n".utf8), to: "config.toml")
        chmod(path, 0o600)
        #expect(applied().isEmpty && watch.summary.problem != nil)
        try places.disable()
        #expect(applied() == [nil])
    }
}
