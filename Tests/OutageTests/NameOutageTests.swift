// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Outages {
    /// Names whose server is silent are waited for; names that do not exist are not.
    @Suite struct NameOutageTests {
        private static let names = "10.77.0.53"
        private static let dns = """
            import socket, struct, sys
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            server.bind(("\(names)", 53))
            while True:
                query, sender = server.recvfrom(2048)
                at, labels = 12, []
                while query[at]:
                    labels.append(query[at + 1:at + 1 + query[at]].decode())
                    at += query[at] + 1
                kind = struct.unpack(">H", query[at + 1:at + 3])[0]
                known = ".".join(labels) == "files.test"
                address = open(sys.argv[1]).read().strip()
                answer = b"\\xc0\\x0c\\x00\\x01\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x04" + \
                socket.inet_aton(address) if known and kind == 1 else b""
                head = query[:2] + struct.pack(">HHHHH", 0x8180 if known else 0x8183, 1, 1 if answer else 0, 0, 0)
                server.sendto(head + query[12:at + 5] + answer, sender)
            """

        /// What the names of one namespace are asked with; `ip netns exec` puts it in place of `/etc/resolv.conf`.
        private final class ResolverFile {
            private let folder: String

            init(_ namespace: NetworkNamespace) throws {
                folder = "/etc/netns/\(namespace.name)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data("nameserver \(NameOutageTests.names)\noptions timeout:1 attempts:1\n".utf8).write(
                    to: URL(filePath: "\(folder)/resolv.conf"))
            }

            deinit { try? FileManager.default.removeItem(atPath: folder) }
        }

        private func startNameServer(_ stage: Stage, address: String = Network.server) throws -> Program {
            try stage.network.server.set("address add \(Self.names)/32 dev far0")
            try stage.folder.write(Array(Self.dns.utf8), to: "dns.py")
            try stage.folder.write(Array(address.utf8), to: "address")
            return try Program(
                stage.network.server.words(
                    for: "/usr/bin/python3", [stage.folder.file("dns.py"), stage.folder.file("address")]),
                in: stage.folder, name: "dns")
        }

        @Test func missingNamesFailImmediately() async throws {
            let stage = try await Stage(size: 1000)
            let resolver = try ResolverFile(stage.network.client)
            let names = try startNameServer(stage)
            // The server may not listen yet: silence is waited for, its word is not.
            let get = try await stage.get(host: "nowhere.test", waits: false)
            #expect(await get.end(within: 30) == 6, "\(get.summary) \(names.complaints)")
            withExtendedLifetime((resolver, names)) {}
        }

        @Test func waitsForASilentNameServer() async throws {
            let stage = try await Stage(size: 100_000)
            let resolver = try ResolverFile(stage.network.client)
            // Packets to that address are neither refused nor answered.
            try stage.network.client.set("neighbor add \(Self.names) lladdr 02:00:00:00:00:53 dev lan0")
            let get = try await stage.get(host: "files.test", waits: false)
            try await stage.waits(get, "the name server does not respond")
            try stage.network.client.set("neighbor delete \(Self.names) dev lan0")
            let names = try startNameServer(stage)
            try await stage.arrives(get, outages: 1)
            withExtendedLifetime((resolver, names)) {}
        }

        @Test func followsAServersNewAddress() async throws {
            let stage = try await Stage()
            let resolver = try ResolverFile(stage.network.client)
            let names = try startNameServer(stage)
            let get = try await stage.get(host: "files.test", ["--request-timeout", "2", "--connect-timeout", "2"])
            try stage.folder.write(Array("10.77.0.5".utf8), to: "address")
            try stage.network.server.set([
                "address delete \(Network.server)/24 dev far0", "address add 10.77.0.5/24 dev far0",
            ])
            try await stage.arrives(get, outages: 1)
            withExtendedLifetime((resolver, names)) {}
        }
    }
}
