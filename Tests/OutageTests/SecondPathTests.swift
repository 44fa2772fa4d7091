// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Outages {
    /// Two ways to one server.
    @Suite struct SecondPathTests {
        private func probe(
            _ stage: Stage, _ options: [String], url: String = "http://\(Network.server)/file"
        ) throws -> Program {
            let words = [url, stage.folder.file("got")] + options
            return try Program(stage.network.client.words(for: Program.built("OutageProbe"), words), in: stage.folder)
        }

        private func arrived(_ probe: Program, _ stage: Stage) async {
            #expect(await probe.end(within: 60) == 0, "\(probe.text)\(probe.complaints)")
            #expect(
                FileManager.default.contentsEqual(
                    atPath: stage.folder.file("got"), andPath: stage.folder.file("root/file")))
        }

        @Test func aFreeInterfaceAppears() async throws {
            let stage = try await Stage(size: 300_000)
            let beyond = "198.51.100.9"
            try stage.network.server.set("address add \(beyond)/32 dev lo")
            let probe = try probe(stage, ["--expensive", "lan0"], url: "http://\(beyond)/file")
            #expect(
                await eventually(within: 30) { probe.lines.contains("waiting only an expensive network (lan0) is up") },
                "\(probe.text)")
            try stage.network.plugInSecond()
            await arrived(probe, stage)
            #expect(try await stage.network.connectionsTaken() >= 1)
        }

        @Test func oneOfTwoInterfacesDisappears() async throws {
            let stage = try await Stage()
            let beyond = "198.51.100.9"
            try stage.network.server.set("address add \(beyond)/32 dev lo")
            try stage.network.plugInSecond()
            let get = try await stage.get(host: beyond)
            try await stage.moves(get, beyond: 1_600_000)
            try stage.network.client.set("link set lan0 down")
            let start = ContinuousClock.now
            try await stage.arrives(get, outages: 1)
            #expect(ContinuousClock.now - start < .seconds(30), "\(get.summary)")
        }

        private static let server = """
            import socket, sys, time
            server = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(("\(Network.server)", 8080))
            server.listen(8)
            print("ready", flush=True)
            data = open(sys.argv[1], "rb").read()
            while True:
                connection, _ = server.accept()
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(data))
                for start in range(0, len(data), 16384):
                    connection.sendall(data[start:start + 16384])
                    time.sleep(0.015)
                time.sleep(1)
                connection.close()
            """

        /// Whether the kernel makes such sockets, in the namespaces of these tests too.
        private static let hasMultipath: Bool = {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 262)
            if descriptor >= 0 { close(descriptor) }
            let setting = try? String(contentsOfFile: "/proc/sys/net/mptcp/enabled", encoding: .utf8)
            return descriptor >= 0 && setting?.hasPrefix("1") ?? false
                && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
        }()

        @Test(.enabled(if: hasMultipath, "MPTCP takes a kernel with it switched on, and python3"))
        func multipathSurvivesTheLossOfAPath() async throws {
            let stage = try await Stage()
            try stage.network.plugInSecond()
            try stage.network.server.set("mptcp limits set subflow 4 add_addr_accepted 4")
            try stage.network.client.set([
                "mptcp limits set subflow 4 add_addr_accepted 4",
                "mptcp endpoint add \(Network.secondClient) dev lan1 subflow",
                "route add \(Network.server)/32 via \(Network.secondServer) src \(Network.secondClient) dev lan1 "
                    + "metric 900",
            ])
            try stage.folder.write(Array(Self.server.utf8), to: "multipath.py")
            let server = try Program(
                stage.network.server.words(
                    for: "/usr/bin/python3",
                    [
                        stage.folder.file("multipath.py"),
                        stage.folder.file("root/file"),
                    ]), in: stage.folder)
            try #require(await eventually(within: 20) { server.lines.contains("ready") }, "\(server.complaints)")
            let probe = try probe(stage, ["--multipath"], url: "http://\(Network.server):8080/file")
            let file = stage.folder.file("got")
            let moves = await eventually(within: 20) {
                (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0 > 300_000
            }
            #expect(moves, "\(probe.text)")
            try stage.network.plug(false)
            await arrived(probe, stage)
            #expect(probe.lines.contains("multipath"), "\(probe.text)")
            // One answer, read to its end: this server knows no ranges.
            #expect(probe.lines.contains("received \(stage.content.count)"), "\(probe.text)")
        }
    }
}
