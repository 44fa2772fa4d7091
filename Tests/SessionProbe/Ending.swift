// SPDX-License-Identifier: MIT

import Dispatch
import FileQTransfer
import Glibc

/// Ways in which a program ends while its sessions are there.
///
/// `main`: ends right after `didComplete`, when the last task releases the session. `held`: as `main`, with the session
/// retained to the end. `invalidated`: as `main`, after `finishTasksAndInvalidate`. `delegate`: calls `exit` in
/// `didComplete`. `engine`: calls `exit` in a closure on the transport's thread. `busy`: calls `exit` while bytes
/// arrive. `fork`: a child without exec calls `exit`, then the parent.
enum Ending {
    static func run(_ way: String, url: String, authority: String) throws {
        var configuration = try TransferConfiguration.ephemeral()
        configuration.proxy = .none
        let ender = Ender(way)
        var session: TransferSession? = try TransferSession.ephemeral(configuration, delegate: ender)
        var request = TransferRequest(url: try TransferURL(url))
        request.options.certificateAuthorities = authority
        if way == "engine" {
            let target = DownloadTarget(admit: { _, _ in exit(0) })
            session?.downloadTask(with: request, to: target).resume()
        } else {
            session?.dataTask(with: request).resume()
        }
        if way == "invalidated" { session?.finishTasksAndInvalidate() }
        if way != "held", way != "fork" { session = nil }
        ender.over.wait()
        if way == "fork" { forkAndEnd() }
        withExtendedLifetime(session) { exit(ender.hasFailed ? 1 : 0) }
    }

    /// Swift does not import fork(2), after which little of its runtime may be used.
    private static func forkAndEnd() {
        typealias Fork = @convention(c) () -> pid_t
        guard let found = dlsym(nil, "fork") else { exit(3) }
        let child = unsafeBitCast(found, to: Fork.self)()
        if child == 0 { exit(0) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        if status != 0 { exit(4) }
    }
}

/// Accepts the certificate that the system accepts, as a program with a pin does, and notices the end.
private final class Ender: TransferSessionChallengeDelegate, TransferDataDelegate, @unchecked Sendable {
    // Sendable: the flag is written on the delegate queue before the signal, and read after it.

    let over = DispatchSemaphore(value: 0)
    private(set) var hasFailed = false
    private let way: String

    init(_ way: String) { self.way = way }

    func session(
        _ session: TransferSession, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void
    ) {
        answer(challenge.serverTrust?.failure == nil ? .useCredential(.trust()) : .cancel)
    }

    func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) {
        if way == "busy" { exit(0) }
    }

    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        hasFailed = error != nil
        if let error { say("failed \(error.message)") }
        if way == "delegate" { exit(hasFailed ? 1 : 0) }
        over.signal()
    }
}
