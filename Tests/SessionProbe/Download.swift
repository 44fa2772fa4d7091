// SPDX-License-Identifier: MIT

import Dispatch
import FileQTransfer
import Glibc

/// A download of a ready-made session, which reports what happens in lines.
///
/// Options: `--wait` waits for connectivity; `--no cellular|expensive|constrained` forbids such networks; `--mark NAME
/// TRAIT` says that the interface is one. Lines: `waits` (once), `waiting REASON`, `continues`, `better route`, and
/// last
/// `done`, with code 0, or `failed MESSAGE`, with code 1.
enum Download {
    static func run(url: String, file: String, options: [String]) throws {
        var configuration = try TransferConfiguration.ephemeral()
        configuration.proxy = .none
        var overrides = PathOverrides()
        var words = options[...]
        while let word = words.popFirst() {
            switch word {
            case "--wait": configuration.waitsForConnectivity = true
            case "--no": forbid(words.popFirst() ?? "", &configuration)
            case "--mark": mark(words.popFirst() ?? "", words.popFirst() ?? "", &overrides)
            default: exit(2)
            }
        }
        if !overrides.interfaces.isEmpty { configuration.pathMonitor = LazyLinkMonitor(overrides: overrides) }
        let listener = Listener()
        let session = try TransferSession.ephemeral(configuration, delegate: listener)
        let target = DownloadTarget(place: .partial(try PartialFile(path: file)))
        session.downloadTask(with: TransferRequest(url: try TransferURL(url)), to: target).resume()
        listener.over.wait()
        exit(listener.code)
    }

    private static func forbid(_ trait: String, _ configuration: inout TransferConfiguration) {
        switch trait {
        case "cellular": configuration.allowsCellularAccess = false
        case "expensive": configuration.allowsExpensiveNetworkAccess = false
        case "constrained": configuration.allowsConstrainedNetworkAccess = false
        default: exit(2)
        }
    }

    private static func mark(_ name: String, _ trait: String, _ overrides: inout PathOverrides) {
        overrides.interfaces[name] =
            switch trait {
            case "cellular": .init(isCellular: true)
            case "expensive": .init(isExpensive: true)
            default: .init(isConstrained: true)
            }
    }
}

private final class Listener: TransferDownloadDelegate, @unchecked Sendable {
    // Sendable: the code is written on the delegate queue before the signal, and read after it.

    let over = DispatchSemaphore(value: 0)
    private(set) var code: Int32 = 1

    func session(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask) { say("waits") }

    func session(_ session: TransferSession, task: TransferTask, didChangeWait wait: PathWait?) {
        say(wait.map { "waiting \($0.message)" } ?? "continues")
    }

    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        say(error.map { "failed \($0.message)" } ?? "done")
        code = error == nil ? 0 : 1
        over.signal()
    }
}
