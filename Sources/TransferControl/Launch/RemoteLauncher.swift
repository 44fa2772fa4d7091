// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
package import Platform
package import TransferModel

/// Connects to the queue of another machine: over the standard input and output of `fileq control --stdio` there, which
/// ssh(1) starts. Keys, passwords, and whom to trust are ssh's.
package struct RemoteLauncher: Sendable {
    package var machine: RemoteMachine
    package var options: ControlClient.Options
    /// Whether ssh may ask on the terminal, and write to standard error: not while a screen is open.
    package var mayAsk = true

    package init(machine: RemoteMachine, options: ControlClient.Options) {
        (self.machine, self.options) = (machine, options)
    }

    /// - Parameter startsService: whether a service is started there if none runs.
    /// - Throws: code `cannotConnect` if ssh fails, or the program there; `usage` if there is none, and for a service
    ///   of an incompatible version; `timedOut` if nothing replies.
    package func connect(startsService: Bool = true) async throws(TransferError) -> ControlClient {
        let (ssh, ours) = try start(startsService: startsService)
        // Its end is waited for where it may take long: ssh lives as long as the connection.
        let ended = Task {
            await withCheckedContinuation { done in
                DispatchQueue.global().async { done.resume(returning: ssh.reap()) }
            }
        }
        do {
            return try await ControlClient.connect(over: SocketChannel(ours), options: options)
        } catch {
            // The connection is closed by now, which ends ssh.
            let error = error as? TransferError ?? TransferError(.interrupted, .serviceInterrupted)
            guard [.receiveFailed, .sendFailed, .other].contains(error.code) else { throw error }
            throw Self.failure(of: machine.host, await ended.value) ?? error
        }
    }

    /// ssh, and our end of its standard input and output, which does not block.
    private func start(startsService: Bool) throws(TransferError) -> (Child, Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw UnixSocket.failure(.start, nil, errno)
        }
        let theirs = Spawn.Stream.descriptor(Descriptor(owning: ends[1]))
        let errors = mayAsk ? Spawn.Stream.descriptor(Descriptor(borrowing: STDERR_FILENO)) : .null
        let spawn = Spawn(
            machine.words(startsService: startsService, mayAsk: mayAsk), streams: [theirs, theirs, errors],
            // Ctrl-C is for the command, which closes the connection.
            group: mayAsk ? .inherited : .own)
        do {
            let child = try spawn.start()
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            return (child, ends[0])
        } catch {
            close(ends[0])
            throw error.errno == ENOENT
                ? TransferError(.usage, .serviceNoShell) : UnixSocket.failure(.start, "ssh", error.errno)
        }
    }

    /// What the end of ssh means before a service has greeted; `nil`: nothing special. No I/O.
    static func failure(of host: String, _ status: Child.Status?) -> TransferError? {
        switch status {
        // ssh(1): "exits with the exit status of the remote command or with 255 if an error occurred".
        case .exited(code: 255): TransferError(.cannotConnect, .serviceUnreachable, host)
        case .exited(code: 127), .exited(code: 126): TransferError(.usage, .serviceNotInstalledThere, host)
        case .exited(let code) where code != 0: TransferError(.cannotConnect, .serviceEndedThere, host, Int(code))
        default: nil
        }
    }
}

/// The control socket as bytes, for what passes them on.
package enum ControlSocket {
    /// Connects to the running service of this user; reading and writing block.
    /// - Throws: code `cannotConnect` if none listens.
    package static func connect(_ places: ServicePlaces) throws(TransferError) -> Descriptor {
        let path = ServiceLock.holder(of: places.lock)?.socket ?? places.socket
        let socket = Descriptor(owning: try UnixSocket.make())
        let code = try UnixSocket.connect(socket.number, to: path)
        guard code == 0 else { throw ControlClient.refused(path, code) }
        _ = fcntl(socket.number, F_SETFL, 0)
        return socket
    }
}
