// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TransferTesting

@testable import TransferControl

/// A service that does with its first connection what its script says, and then closes it.
final class ScriptedService: Sendable {
    private let folder: TemporaryFolder
    private let socket: ListeningSocket

    init(_ script: @escaping @Sendable (RawPeer) async -> Void) throws {
        folder = try TemporaryFolder()
        socket = try ListeningSocket(path: folder.file("s"))
        let descriptor = socket.descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        DispatchQueue.global().async {
            let accepted = accept(descriptor, nil, nil)
            guard accepted >= 0 else { return }
            let peer = RawPeer(descriptor: accepted)
            Task { await script(peer) }
        }
    }

    deinit { socket.end() }

    var path: String { folder.file("s") }

    func client(_ change: (inout ControlClient.Options) -> Void = { _ in }) async throws -> ControlClient {
        var options = ControlClient.Options(version: "0.1.0")
        change(&options)
        return try await ControlClient.connect(path: folder.file("s"), options: options)
    }
}

extension RawPeer {
    /// The service's part of the beginning.
    func greet(version: String = "0.1.0", protocol: Int = 1) async {
        let hello = #"{"protocol":\#(`protocol`),"version":"\#(version)","pid":1,"maximumMessage":100000}"#
        await send(#"{"jsonrpc":"2.0","method":"hello","params":\#(hello)}"# + "\n")
        _ = await line()
        await send(#"{"jsonrpc":"2.0","id":1,"result":\#(hello)}"# + "\n")
    }
}
