// SPDX-License-Identifier: MIT

import FoundationEssentials
package import TransferControl
package import TransferModel

/// The full-screen interface on one queue.
package struct TerminalProgram: Sendable {
    package struct Options: Sendable {
        /// Stands at the top left.
        package var title = "fileq"
        /// What to ask before quitting, given the queue as it is then; `nil`: quit without asking. The answer is one
        /// key, y or n, so the question should end in "y/n". Where quitting stops nothing, answer `nil`.
        package var quitNotice: @Sendable (QueueSnapshot) -> String? = TerminalProgram.askWhileActive
        /// Shown as `~` in paths; `nil`: paths are shown whole.
        package var homeFolder: String?
        /// `TERM`, `NO_COLOR` and their like. The locale is always the process's own.
        package var environment = ProcessInfo.processInfo.environment

        /// One line for a person: what an error says, and what helps.
        package var words: @Sendable (TransferError) -> String = { $0.message }

        package init() {
            homeFolder = environment["HOME"]
        }
    }

    /// Why ``run()`` returned.
    package enum Ending: Sendable, Hashable {
        /// The user wanted it.
        case quit
        /// This signal asked the process to end: SIGTERM, SIGHUP, SIGINT. It has not been raised again.
        case terminated(signal: Int32)
        /// There is nobody at the other end any more.
        case terminalLost
        /// The queue has shut down.
        case queueEnded
    }

    let client: any QueueClient
    let options: Options
    let describe: @Sendable (String) throws -> [Spec]

    /// - Parameter describe: Turns what was typed after `a` (spaces around it removed, never empty, one line) into the
    ///   transfers to add. Called on another thread than the screen's, one call at a time. What it throws is shown (of
    ///   a ``TransferError`` the message), and the text comes back to be mended.
    package init(
        client: any QueueClient, options: Options = .init(),
        describe: @escaping @Sendable (String) throws -> [Spec]
    ) {
        self.client = client
        self.options = options
        self.describe = describe
    }

    /// Shows the queue until the user quits. Blocks the calling thread, which alone touches the screen: the main thread
    /// or one made for it, never one of the concurrency pool.
    ///
    /// Meanwhile SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT and the signals of a crash are handled here, and
    /// what is written to standard error is kept and printed afterwards; all of it is given back before this returns,
    /// by `exit` and on a crash too. Commands that were given are carried out first, unless the queue takes more than 2
    /// s.
    /// - Throws: a ``TransferError`` with code `other` where there is no terminal that can show it; nothing was
    ///   touched.
    package func run() throws -> Ending {
        let screen = try Screen(wantsColours: ColourPolicy.wantsColours(options.environment))
        let mailbox = Mailbox()
        let pump = EffectPump(client: client, mailbox: mailbox, words: options.words, describe: describe)
        let listening = Task { [client, words = options.words] in
            for await update in client.updates() { mailbox.post(.update(update.worded(by: words))) }
            mailbox.post(.queueEnded)
        }
        var loop = ProgramLoop(screen: screen, mailbox: mailbox, pump: pump, options: options)
        let ending = loop.run()
        screen.close()
        listening.cancel()
        pump.finish()
        return ending
    }

    /// The ordinary question: asks while anything runs, waits for the network or for its next try.
    package static let askWhileActive: @Sendable (QueueSnapshot) -> String? = { snapshot in
        let active = snapshot.transfers.filter {
            $0.state.occupiesPlace || $0.state == .waiting || $0.state == .retrying
        }
        switch active.count {
        case 0: return nil
        case 1: return "1 transfer is running; quit and keep it for the next time? y/n"
        case let count: return "\(count) transfers are running; quit and keep them for the next time? y/n"
        }
    }
}
