// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TransferModel

/// Who gets a connection. Everything here runs on `work`.
extension ControlServer {
    func acceptSome() {
        // Others want their turn too; what is left brings the next call.
        for _ in 0..<16 {
            let descriptor = accept(socket.descriptor, nil, nil)
            guard descriptor >= 0 else {
                let code = errno
                if code == EINTR || code == ECONNABORTED { continue }
                // Out of descriptors or memory: the connection stays, so asking again at once would not end.
                if code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM { restAMoment() }
                return
            }
            DescriptorFlags.set(descriptor)
            admit(descriptor)
        }
    }

    private func restAMoment() {
        acceptor.suspend()
        work.asyncAfter(deadline: .now() + 0.1) { [self] in acceptor.resume() }
    }

    private func admit(_ descriptor: Int32) {
        guard let user = UnixSocket.peerUser(descriptor), user == geteuid() else {
            return refuse(descriptor, "this service is another user's; each user has one of their own")
        }
        let connection = LineConnection(descriptor: descriptor, queue: work, maximumLine: options.maximumMessage,
                                        outgoingLimit: options.outgoingLimit)
        let key: Int? = state.withLock { state in
            guard !state.isEnding, state.sessions.count < options.maximumConnections else { return nil }
            defer { state.nextKey += 1 }
            return state.nextKey
        }
        guard let key else {
            connection.start { _ in }
            connection.send(Self.refusal("the service has \(options.maximumConnections) connections, the most it takes, or is ending"))
            return connection.close()
        }
        let session = ServerSession(connection: connection, server: self)
        let count = state.withLock { state in
            state.sessions[key] = session
            return state.sessions.count
        }
        options.connectionsChanged(count)
        session.start { [weak self] in self?.ended(key) }
    }

    /// Not a byte of such a peer is read.
    private func refuse(_ descriptor: Int32, _ reason: String) {
        Self.refusal(reason).withUnsafeBytes { _ = send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close(descriptor)
    }

    private static func refusal(_ reason: String) -> Data {
        (try? ControlCoding.line(ErrorAnswer(id: nil, error: ControlError(.notAdmitted, reason)))) ?? Data()
    }

    private func ended(_ key: Int) {
        let count = state.withLock { state in
            state.sessions[key] = nil
            return state.sessions.count
        }
        options.connectionsChanged(count)
        resumeIfGone()
    }
}
