// SPDX-License-Identifier: MIT

import Glibc
import TransferControl
import TransferModel

/// The environment of a queue command.
struct QueueContext: Sendable {
    /// Connects to the service; `true`: start it if necessary.
    var connect: @Sendable (_ startsService: Bool) async throws(TransferError) -> ControlClient
    /// The queue of a screen in this process; `nil`: the service's.
    var ownQueue: (any QueueClient)?
    /// Standard output.
    var output = FileOutput(descriptor: STDOUT_FILENO)
    /// Writes a message.
    var say: @Sendable (String) -> Void = StandardError.say
    /// The terminal of standard output, if any.
    var screen: QueueScreen?
    /// Ctrl-C, for commands that wait.
    var interruption = Interruption()
    var surroundings = CommandEnvironment.process
    /// Opens a file or folder with the desktop's program for it.
    var open: @Sendable (_ path: String) async throws(TransferError) -> Void = FileOpener().open
    /// Copies to the clipboard of the terminal.
    var copy: @Sendable (_ text: String) throws(TransferError) -> Void = TerminalClipboard.copy
    /// Waits the given number of seconds.
    var pause: @Sendable (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
    /// The file of a damaged queue that the service has set aside, if any.
    var damagedQueue: @Sendable () -> String? = { nil }

    /// The queue that commands act on; the service is started if necessary.
    func queue() async throws -> any QueueClient {
        if let ownQueue { return ownQueue }
        return try await connect(true)
    }

    var now: Double { surroundings.now() }

    /// The process's own.
    static var process: QueueContext {
        QueueContext(
            connect: { startsService async throws(TransferError) in
                try await ServiceAccess.connect(startsService: startsService)
            },
            screen: QueueScreen.ofStandardOutput(),
            damagedQueue: { DamagedQueue.latest(in: Places(environment: ProcessEnvironment.value).service.queue) })
    }
}

/// A terminal with its layout.
struct QueueScreen: Sendable, Equatable {
    var columns: Int
    var traits: TerminalTraits
    /// `nil`: no links.
    var link: FileLink?

    static func ofStandardOutput() -> QueueScreen? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let traits = TerminalTraits(isTerminal: true, environment: ProcessEnvironment.value)
        return QueueScreen(
            columns: isKnown ? Int(size.ws_col) : 80, traits: traits,
            link: FileLink(traits, environment: ProcessEnvironment.value))
    }
}
