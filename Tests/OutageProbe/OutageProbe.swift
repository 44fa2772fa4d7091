// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import NetworkPath
import SessionCore
import TransferModel

/// A download of a session that listens to the network, in a process of its own, for tests that put it into a network
/// namespace.
///
/// `OutageProbe URL FILE`; `--expensive NAME`: this interface costs, and the download may not; `--multipath`: over as
/// many paths as the kernel has. Each wait is a line `waiting REASON`, its end `continues`. Ends with `done` and code
/// 0,
/// or with `failed MESSAGE` and 1; before it come `multipath` or `one path`, and the bytes of all bodies.
@main
struct OutageProbe {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count >= 3 else { exit(2) }
        var overrides = PathOverrides()
        var configuration = TransferConfiguration()
        configuration.waitsForConnectivity = true
        configuration.proxy = .none
        if let index = words.firstIndex(of: "--expensive"), index + 1 < words.count {
            overrides.interfaces[words[index + 1]] = .init(isExpensive: true)
            configuration.allowsExpensiveNetworkAccess = false
        }
        if words.contains("--multipath") { configuration.multipathServiceType = .handover }
        configuration.pathMonitor = LinkMonitor(overrides: overrides)
        let listener = Listener()
        let session = TransferSession(configuration: configuration, transport: try CurlTransport(), delegate: listener)
        let request = TransferRequest(url: try TransferURL(words[1]))
        session.downloadTask(with: request, to: DownloadTarget(place: .partial(try PartialFile(path: words[2]))))
            .resume()
        exit(await listener.ended())
    }
}

/// Writes its events as lines. The session calls it from one queue.
private final class Listener: TransferDataDelegate, TransferDownloadDelegate {
    private let (ends, end) = AsyncStream<Int32>.makeStream()

    func ended() async -> Int32 {
        for await code in ends { return code }
        return 3
    }

    func session(_ session: TransferSession, task: TransferTask, didChangeWait wait: PathWait?) {
        say(wait.map { "waiting \($0.message)" } ?? "continues")
    }

    func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {
        say(metrics.transactions.contains { $0.isMultipath == true } ? "multipath" : "one path")
        say("received \(metrics.bodyReceived)")
    }

    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        say(error.map { "failed \($0.message)" } ?? "done")
        end.yield(error == nil ? 0 : 1)
    }

    private func say(_ line: String) {
        let text = line + "\n"
        _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    }
}
