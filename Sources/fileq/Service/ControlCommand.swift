// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import Platform
import TransferControl
import TransferModel

/// `fileq control --stdio`: what ssh runs for `--on`.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Connect a program with the queue by standard input and output.",
        discussion: """
            'fileq --on MACHINE' runs this there, over ssh. It starts the background service if necessary, passes \
            bytes between the control socket and standard input and output, and ends with either. docs/Control.md \
            describes the protocol.

            Examples:
              fileq control --stdio < requests.txt
            """
    )

    @Flag(help: "Use standard input and output; nothing else is offered.")
    var stdio = false

    @Flag(help: "Fail if no service is running.")
    var noStart = false

    mutating func run() async throws {
        guard stdio else { throw TransferError(.usage, option: "--stdio", "say --stdio: nothing else is offered") }
        signal(SIGPIPE, SIG_IGN)
        let launcher = try ServiceAccess.launcher()
        // Starts the service, replaces an older one, and knows what to say if it cannot.
        try await launcher.connect(startsService: !noStart).close()
        let socket = try ControlSocket.connect(launcher.places)
        try Self.pass(between: (Descriptor(borrowing: STDIN_FILENO), Descriptor(borrowing: STDOUT_FILENO)), and: socket)
    }

    /// Returns when the service has closed the connection, which it does when the input has ended and all is answered.
    /// Blocks.
    static func pass(between ours: (input: Descriptor, output: Descriptor), and socket: Descriptor) throws {
        var watched = [ours.input, socket].map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        while true {
            guard poll(&watched, 2, -1) >= 0 || errno == EINTR else { return }
            // Writing blocks, so that a slow reader slows the other side.
            if watched[0].revents != 0 {
                if let bytes = try? ours.input.read(upTo: 65_536), !bytes.isEmpty {
                    guard (try? socket.write(bytes)) != nil else { return }
                } else {
                    watched[0].fd = -1
                    _ = shutdown(socket.number, Int32(SHUT_WR))
                }
            }
            if watched[1].revents != 0 {
                guard let bytes = try? socket.read(upTo: 65_536), !bytes.isEmpty,
                    (try? ours.output.write(bytes)) != nil
                else { return }
            }
        }
    }
}
