// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TransferModel

/// Admission of connections. Everything here runs on `work`.
extension ControlServer {
    func acceptSome(_ acceptor: Acceptor) {
        // Others need their turn, too; the rest triggers the next call.
        for _ in 0..<16 {
            let descriptor = accept(acceptor.socket.descriptor, nil, nil)
            guard descriptor >= 0 else {
                let code = errno
                if code == EINTR || code == ECONNABORTED { continue }
                // Out of descriptors or memory: the connection stays pending, so an immediate retry would loop.
                if code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM {
                    return work.asyncAfter(deadline: .now() + 0.1) { acceptor.awaitClients() }
                }
                break
            }
            DescriptorFlags.set(descriptor)
            admit(descriptor)
        }
        acceptor.awaitClients()
    }

    private func admit(_ descriptor: Int32) {
        guard let user = UnixSocket.peerUser(descriptor), user == geteuid() else {
            return refuse(descriptor, "this service is another user's; each user has one of their own")
        }
        admit(SocketChannel(descriptor))
    }

    /// Takes ownership of a connection of this user. On `work`, as whatever accepts connections.
    package func admit(_ channel: any ByteChannel) {
        let connection = LineConnection(
            channel, queue: work, maximumLine: options.maximumMessage,
            outgoingLimit: options.outgoingLimit)
        let place: (key: Int, isReserved: Bool)? = state.withLock { state in
            guard !state.isEnding else { return nil }
            let isFull = state.sessions.count - (state.reserved == nil ? 0 : 1) >= options.maximumConnections
            guard !isFull || state.reserved == nil else { return nil }
            defer { state.nextKey += 1 }
            if isFull { state.reserved = state.nextKey }
            return (state.nextKey, isFull)
        }
        guard let (key, isReserved) = place else {
            connection.start { _ in }
            connection.send(Self.refusal(fullHouse.message))
            return connection.close()
        }
        let session = ServerSession(connection: connection, server: self, isReserved: isReserved)
        let count = state.withLock { state in
            state.sessions[key] = session
            return state.sessions.count
        }
        options.connectionsChanged(count)
        session.start { [weak self] in self?.ended(key) }
        work.asyncAfter(deadline: .now() + options.helloTimeout) { [weak session] in session?.endIfIdle() }
    }

    var fullHouse: ControlError {
        ControlError(
            .notAdmitted, "the service has \(options.maximumConnections) connections, the most it takes, or is ending")
    }

    /// No byte of such a peer is read.
    private func refuse(_ descriptor: Int32, _ reason: String) {
        Self.refusal(reason).withUnsafeBytes { _ = send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close(descriptor)
    }

    private static func refusal(_ reason: String) -> Data {
        (try? ControlCoding.line(ErrorReply(id: nil, error: ControlError(.notAdmitted, reason)))) ?? Data()
    }

    private func ended(_ key: Int) {
        let count = state.withLock { state in
            state.sessions[key] = nil
            if state.reserved == key { state.reserved = nil }
            return state.sessions.count
        }
        options.connectionsChanged(count)
        resumeIfGone()
    }
}
