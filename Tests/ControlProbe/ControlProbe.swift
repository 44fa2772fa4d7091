// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TransferControl
import TransferModel
import TransferTesting

/// What a long queue costs on the control socket.
///
/// `serve PATH COUNT`: serves a queue of so many transfers until it is ended. `time PATH`: asks such a service for all
/// of it, five times, and prints the milliseconds of each way to ask.
@main
struct ControlProbe {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        switch (words.first, words.dropFirst().first, words.dropFirst(2).first.flatMap { Int($0) }) {
        case ("serve", let path?, let count?): try await serve(path, count)
        case ("time", let path?, nil): try await time(path)
        default:
            print("usage: ControlProbe serve PATH COUNT | time PATH")
            exit(2)
        }
    }

    private static func serve(_ path: String, _ count: Int) async throws {
        let server = try ControlServer(
            path: path, handler: FakeQueue.long(count: count), options: .init(version: "0.1.0"))
        server.start()
        print("serving \(count) transfers at \(path)")
        fflush(nil)
        try await Task.sleep(for: .seconds(86_400))
        await server.shutDown()
    }

    private static func time(_ path: String) async throws {
        let client = try await ControlClient.connect(path: path, options: .init(version: "0.1.0"))
        for _ in 0..<5 {
            let all = try await milliseconds { try await client.transfers(matching: QueueFilter()).count }
            let one = try await milliseconds {
                try await client.transfers(matching: QueueFilter(states: [.running])).count
            }
            let snapshot = try await milliseconds { try await client.snapshot().transfers.count }
            let update = await milliseconds {
                for await case .snapshot(let snapshot) in client.updates() { return snapshot.transfers.count }
                return 0
            }
            print("list \(all), list of one state \(one), snapshot \(snapshot), first update \(update)")
        }
        client.close()
    }

    private static func milliseconds(_ body: () async throws -> Int) async rethrows -> String {
        let start = DispatchTime.now().uptimeNanoseconds
        let count = try await body()
        return "\((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000) ms (\(count))"
    }
}
