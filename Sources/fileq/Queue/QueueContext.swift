// SPDX-License-Identifier: MIT

import Glibc
import TransferControl
import TransferModel

/// What a queue command works with outside of its arguments.
struct QueueContext: Sendable {
    /// Reaches the service; `true`: starts it where none runs.
    var connect: @Sendable (_ startsService: Bool) async throws(TransferError) -> ControlClient
    /// Where results go.
    var output = FileOutput(descriptor: STDOUT_FILENO)
    /// Says something to a person that is no result.
    var say: @Sendable (String) -> Void = StandardError.say
    /// The terminal that results go to; `nil`: none.
    var screen: QueueScreen?
    /// Where Ctrl-C is heard, by the commands that wait.
    var interruption = Interruption()
    var surroundings = Surroundings.process
    /// Lets that many seconds pass.
    var pause: @Sendable (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) }

    var now: Double { surroundings.now() }

    /// The process's own.
    static var process: QueueContext {
        QueueContext(
            connect: { startsService async throws(TransferError) in
                try await ServiceAccess.connect(startsService: startsService)
            },
            screen: QueueScreen.ofStandardOutput())
    }
}

/// A terminal that results are laid out for.
struct QueueScreen: Sendable, Equatable {
    var columns: Int
    var traits: TerminalTraits

    static func ofStandardOutput() -> QueueScreen? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return QueueScreen(
            columns: isKnown ? Int(size.ws_col) : 80,
            traits: TerminalTraits(isTerminal: true, environment: ProcessEnvironment.value))
    }
}
