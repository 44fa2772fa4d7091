// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Results of command lines.
extension InterfaceState {
    /// Whether the command line is open and runs this line.
    func awaits(_ line: String) -> Bool {
        mode.palette.map { $0.isRunning && RateText.trimmed($0.editor.text) == line } ?? false
    }

    /// The command has ended: its output covers the list if it has several lines.
    mutating func receive(_ outcome: CommandOutcome, of line: String) {
        let open = mode.palette.flatMap { $0.isRunning ? $0 : nil }
        log.add(.command, "\(setup.program) \(line)", at: now)
        for note in outcome.notes { log.add(.note, note, at: now) }
        if let error = outcome.error {
            log.add(.error, error, at: now)
            guard var palette = open else { return notice = Notice(text: error, isError: true) }
            (palette.isRunning, palette.error) = (false, error)
            return mode = .palette(palette)
        }
        if open != nil { mode = .list }
        if outcome.lines.count > 1 {
            overlay = .output(title: line, lines: outcome.lines)
            overlayTop = 0
        } else if let text = outcome.lines.first ?? outcome.notes.first {
            notice = Notice(text: text)
        } else {
            notice = Notice(text: "Done: \(line)")
        }
        normalize()
    }
}
