// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Outages {
    /// The addresses that `serve` states, beside what the kernel has.
    @Suite struct ServeAddressTests {
        private func stated(_ network: NetworkNamespace, host: String) async throws -> [String] {
            let folder = try TemporaryFolder()
            let root = folder.file("root")
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
            let server = try Program(
                network.words(for: Program.built("fileq"), ["serve", root, "--host", host, "--port", "0"]), in: folder)
            #expect(await server.says { server.complaints.contains("serving ") }, "\(server.complaints)")
            let port = server.lines.first?.split(separator: ":").last.map(String.init) ?? "?"
            let lines = server.complaints.split(separator: "\n").map(String.init).filter { $0.contains(" reach") }
            withExtendedLifetime((folder, server)) {}
            return lines.map { $0.replacingOccurrences(of: port, with: "PORT") }
        }

        @Test func areThoseOfConnectedInterfaces() async throws {
            let network = try NetworkNamespace()
            try network.set("link set lo up")
            let none = ["fileq: no other device reaches it now: no network interface is connected"]
            #expect(try await stated(network, host: "0.0.0.0") == none)
            try network.set([
                "link add lan0 type veth peer name far0", "address add 192.0.2.10/24 dev lan0",
                "address add 2001:db8::10/64 dev lan0 nodad", "link set far0 up", "link set lan0 up",
                "link add lan1 type veth peer name far1", "address add 198.51.100.7/24 dev lan1",
            ])
            // The kernel notes a connected cable a moment later.
            let isUp = "until grep -q up /sys/class/net/lan0/operstate; do sleep 0.05; done"
            _ = try await Program.output(network.words(for: "/bin/sh", ["-c", isUp]))
            let four = "fileq: other devices reach it at http://192.0.2.10:PORT/"
            #expect(try await stated(network, host: "0.0.0.0") == [four])
            let six = "fileq: other devices reach it at http://[2001:db8::10]:PORT/"
            #expect(try await stated(network, host: "::") == [four, six])
            #expect(try await stated(network, host: "2001:db8::10") == [six])
        }
    }
}
