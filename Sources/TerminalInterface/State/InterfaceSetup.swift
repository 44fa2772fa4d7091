// SPDX-License-Identifier: MIT

import TransferModel

/// Values that a screen receives when it opens.
struct InterfaceSetup: Sendable {
    var title = "fileq"
    /// Whether the queue is only watched.
    var isReadOnly = false
    /// The command line that equals a key, without ``program``.
    var commandLine: @Sendable (KeyedCommand) -> String? = { _ in nil }
    /// Whether the queue takes other files, addresses and starts.
    var canEdit = false
    /// Whether files can be opened.
    var canOpen = false
    /// Begins a command line in a shell.
    var program = "fileq"
    /// Commands of the `:` line; empty: the screen has no such line.
    var vocabulary = CommandVocabulary()
    /// Whether the `:` line leads to the queues of other machines.
    var changesMachine = false
    /// Sentences about transfers.
    var words = InterfaceWords.plain
    /// Shown as `~` in paths.
    var homeFolder: String?
    /// The base of relative paths.
    var workingFolder: String?
    /// Where downloads go unless another folder is typed.
    var saveFolder = ""
    /// Local times.
    var clock = LocalClock.utc
    var keyMap = KeyMap.standard
    /// The machine of the queue; `nil`: this one.
    var machine: String?
}
