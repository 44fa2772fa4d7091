// SPDX-License-Identifier: MIT

import TransferModel

/// What a screen is given when it opens.
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
    /// Of the command line; empty: there is none.
    var vocabulary = CommandVocabulary()
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
}
