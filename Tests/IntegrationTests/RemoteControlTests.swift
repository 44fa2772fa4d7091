// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferTesting

extension Integration {
    /// Clients of aria2 with the service's remote control.
    @Suite(.serialized) struct RemoteControlTests {
        private static let scripts = ServerProgram.package.appending(path: "Tests/remote").path

        /// - Parameter lines: further ones of `[rpc]`.
        /// - Returns: the address and the file of the secret.
        private func enable(_ stage: Stage, _ lines: String = "") async throws -> (url: String, secretFile: String) {
            try stage.write(
                "[rpc]\nport = 0\ndir = \"\(stage.path("downloads"))\"\n\(lines)", to: "../state/config.toml")
            let outcome = try await stage.fileq("rpc", "enable")
            try #require(outcome.exit == 0, "\(outcome)")
            let status = try await stage.fileq("rpc", "status", "--json")
            let object = try #require(try JSONSerialization.jsonObject(with: status.output) as? [String: Any])
            #expect(object["enabled"] as? Bool == true)
            let url = try #require(object["url"] as? String)
            #expect(outcome.text == url + "\n")
            return (url, try #require(object["secret_file"] as? String))
        }

        @Test func isOffUntilEnabledAndAfterDisabling() async throws {
            try await Stage.withService { stage in
                #expect(try await stage.fileq("rpc", "status").exit == 1)
                let (url, secretFile) = try await enable(stage)
                let attributes = try FileManager.default.attributesOfItem(atPath: secretFile)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                let secret = try String(contentsOfFile: secretFile, encoding: .utf8)
                #expect(secret.count == 33)
                let again = try await stage.fileq("rpc", "enable")
                #expect(again.text == url + "\n")
                #expect(try String(contentsOfFile: secretFile, encoding: .utf8) == secret)
                let port = try #require(URL(string: url)?.port)
                #expect(try await stage.fileq("rpc", "disable").exit == 0)
                #expect(connectLoopback(port) < 0)
                #expect(try await stage.fileq("rpc", "status").exit == 1)
            }
        }

        @Test(arguments: ["aria2c.json", "aria2next.json"])
        func responsesHaveTheShapesOfAria2(_ recorded: String) async throws {
            try await Stage.withService { stage in
                let (url, secretFile) = try await enable(stage)
                let outcome = try await stage.shell(
                    "cd '\(Self.scripts)' && python3 -B shapes.py '\(url)' \"$(cat '\(secretFile)')\" compare "
                        + recorded,
                    within: 120)
                #expect(outcome.exit == 0 && outcome.text.hasSuffix(" 0 differences\n"), "\(outcome)")
                let info = try await stage.fileq("info", "1")
                #expect(info.text.contains("added by remote control"))
            }
        }

        /// Clients that trust only the configured certificate.
        @Test func certificateIsVerified() async throws {
            try await Stage.withService { stage in
                let own = try await stage.certificate()
                let (url, secretFile) = try await enable(
                    stage, "tls-cert = \"\(own.certificate)\"\ntls-key = \"\(own.key)\"\n")
                let outcome = try await stage.shell(
                    "cd '\(Self.scripts)' && python3 -B secure.py '\(url)' \"$(cat '\(secretFile)')\" "
                        + "'\(own.certificate)'", within: 60)
                #expect(outcome.exit == 0 && outcome.text == "handshake ok\nplain ok\nwebsocket ok\n", "\(outcome)")
            }
        }

        /// More connections than it serves, and more files than the service may open.
        @Test func survivesCrowdsAndShortages() async throws {
            try await Stage.withService { stage in
                let (url, secretFile) = try await enable(stage)
                let pid = try #require(stage.serviceHolder?.pid)
                let outcome = try await stage.shell(
                    "cd '\(Self.scripts)' && python3 -B descriptors.py '\(url)' \"$(cat '\(secretFile)')\" \(pid)",
                    within: 120)
                #expect(outcome.exit == 0 && outcome.text == "crowd ok\nshortage ok\n", "\(outcome)")
            }
        }

        @Test(.needs(.aria2clients)) func strangersUseTheQueue() async throws {
            let python = try ServerProgram.aria2clients.required()
            try await Stage.withService { stage in
                let (url, secretFile) = try await enable(stage)
                let outcome = try await stage.shell(
                    "cd '\(Self.scripts)' && '\(python)' -B clients.py '\(url)' \"$(cat '\(secretFile)')\"", within: 120
                )
                #expect(outcome.exit == 0 && outcome.text == "aria2p ok\naioaria2 ok\n", "\(outcome)")
            }
        }
    }
}
