// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The command line at the bottom, which takes what the shell takes after `fileq`.
extension InterfaceState {
    /// Proposals for the text as it stands, or those that Tab goes through.
    func proposals(of palette: Palette) -> [Completion] {
        if palette.choice != nil { return palette.proposals }
        return setup.vocabulary.completions(of: palette.editor.text, transfers: candidates)
    }

    /// Targets first, then what is in the list.
    private var candidates: [(id: String, name: String)] {
        let first = targets.prefix(20).map(\.id)
        let others = list.visible.lazy.filter { !first.contains($0) }.prefix(500)
        return (first + others).compactMap { id in
            list.transfer(id).map { (String(id.rawValue), DisplayName.of($0)) }
        }
    }

    mutating func press(_ key: Key, in palette: Palette) -> [Effect] {
        switch key {
        case .tab: mode = .palette(chosen(1, in: palette))
        case .backTab: mode = .palette(chosen(-1, in: palette))
        case .up: mode = .palette(palette.recalling(1, of: earlierLines))
        case .down: mode = .palette(palette.recalling(-1, of: earlierLines))
        case .enter: return run(palette)
        case .escape, .control("c"): mode = .list
        default:
            var palette = palette
            guard palette.editor.press(key) else { return [] }
            palette.textChanged()
            mode = .palette(palette)
        }
        return []
    }

    private mutating func run(_ palette: Palette) -> [Effect] {
        let line = RateText.trimmed(palette.editor.text)
        let isEnd = line == "q" || line == "quit"
        guard !line.isEmpty, !isEnd else {
            mode = .list
            return isEnd ? [.quit(isConfirmed: false)] : []
        }
        guard !palette.isRunning else { return [] }
        earlierLines.add(line)
        var palette = palette
        palette.textChanged()
        palette.isRunning = true
        mode = .palette(palette)
        return [.run(line)]
    }

    /// With the next proposal; after the last one, the text as typed.
    private func chosen(_ step: Int, in palette: Palette) -> Palette {
        chosen(at: palette.choice.map { $0 + step } ?? (step > 0 ? 0 : proposals(of: palette).count - 1), in: palette)
    }

    /// - Parameter next: outside of the proposals, the text is as typed.
    func chosen(at next: Int, in palette: Palette) -> Palette {
        guard !palette.isRunning else { return palette }
        var palette = palette
        if palette.choice == nil {
            (palette.proposals, palette.typed) = (proposals(of: palette), palette.editor.text)
        }
        palette.choose(next)
        return palette
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
