// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TerminalInterface
import TransferModel

/// The clipboard of the terminal that a command runs in.
enum TerminalClipboard {
    /// - Throws: code `other` without a terminal.
    @Sendable static func copy(_ text: String) throws(TransferError) {
        let sequence = ClipboardReport.sequence(text)
        do {
            try Descriptor.open("/dev/tty", O_WRONLY | O_NOCTTY).write(Array(sequence.utf8))
        } catch {
            throw TransferError(.other, "there is no terminal whose clipboard could be used; 'fileq info' prints it")
        }
    }
}
