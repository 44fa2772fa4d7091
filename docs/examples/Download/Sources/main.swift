// SPDX-License-Identifier: MIT
// Download URL FILE USER PASSWORD [sha256//PIN]: shows progress, answers who asks for a password, and keeps to the pin.
import FileQTransfer
import Glibc

final class Login: TransferTaskChallengeDelegate {
    let credential = Credential(user: CommandLine.arguments[3], password: CommandLine.arguments[4])

    func session(
        _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void
    ) {
        let asksForPassword = [.basic, .digest].contains(challenge.protectionSpace.method)
        answer(
            asksForPassword && challenge.previousFailureCount == 0
                ? .useCredential(.password(credential)) : .performDefaultHandling)
    }
}

guard CommandLine.arguments.count >= 5 else {
    print("usage: Download URL FILE USER PASSWORD [sha256//PIN]")
    exit(2)
}
do throws(TransferError) {
    let session = try TransferSession.ephemeral()
    var request = TransferRequest(url: try TransferURL(CommandLine.arguments[1]))
    request.options.pins = Array(CommandLine.arguments.dropFirst(5))
    let file = try PartialFile(path: CommandLine.arguments[2])
    let answer = try await session.download(for: request, into: file, delegate: Login()) { position, size in
        print("\(position) of \(size.map { "\($0)" } ?? "?") bytes")
    }
    print("status \(answer.response.status.code), \(answer.metrics.total) s")
} catch {
    print(error.message)
    exit(1)
}
