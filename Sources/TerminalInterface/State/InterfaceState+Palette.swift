// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The command line at the bottom, which takes what the shell takes after `fileq`.
extension InterfaceState {
    /// Proposals for the text as it stands, or those that Tab goes through.
    var proposals: [Completion] {
        guard let prompt, prompt.purpose == .command else { return [] }
        if palette.choice != nil { return palette.proposals }
        return vocabulary.completions(of: prompt.editor.text, transfers: candidates)
    }

    /// Targets first, then what is in the list.
    private var candidates: [(id: String, name: String)] {
        let first = targets.prefix(20).map(\.id)
        let others = visible.lazy.filter { !first.contains($0) }.prefix(500)
        return (first + others).compactMap { id in
            transfer(id).map { (String(id.rawValue), DisplayName.of($0)) }
        }
    }

    mutating func openPalette(_ text: String = "") {
        palette = Palette()
        ask(.command, text: text)
    }

    /// Handles a key of the command line; `nil`: it is a key of any prompt.
    mutating func pressInPalette(_ key: Key) -> [Effect]? {
        guard let text = prompt?.editor.text else { return [] }
        switch key {
        case .tab: chooseProposal(1)
        case .backTab: chooseProposal(-1)
        case .up: recall(1)
        case .down: recall(-1)
        case .enter: return runLine(text)
        case .escape, .control("c"):
            prompt = nil
        case .control("l"), .control("z"): return nil
        default:
            guard prompt?.editor.press(key) == true else { return [] }
            (palette.choice, palette.error, palette.back) = (nil, nil, 0)
        }
        return []
    }

    private mutating func runLine(_ line: String) -> [Effect] {
        let line = RateText.trimmed(line)
        guard !line.isEmpty else {
            prompt = nil
            return []
        }
        if line == "q" || line == "quit" {
            prompt = nil
            return [.quit(isConfirmed: false)]
        }
        guard !palette.isRunning else { return [] }
        earlierLines.add(line)
        (palette.isRunning, palette.error, palette.choice, palette.back) = (true, nil, nil, 0)
        return [.run(line)]
    }

    /// The next proposal; after the last one, the text as typed.
    private mutating func chooseProposal(_ step: Int) {
        let count = palette.choice == nil ? proposals.count : palette.proposals.count
        chooseProposal(at: palette.choice.map { $0 + step } ?? (step > 0 ? 0 : count - 1))
    }

    /// - Parameter next: outside of the proposals, the text is as typed.
    mutating func chooseProposal(at next: Int) {
        guard let text = prompt?.editor.text, !palette.isRunning else { return }
        if palette.choice == nil {
            (palette.proposals, palette.typed) = (proposals, text)
            guard !palette.proposals.isEmpty else { return }
        }
        let count = palette.proposals.count
        let typed = palette.typed
        let beginning = typed.dropLast(CommandVocabulary.lastWord(of: typed).count)
        guard palette.proposals.indices.contains(next) else {
            palette.choice = nil
            prompt?.editor = LineEditor(typed)
            return
        }
        let proposal = palette.proposals[next]
        prompt?.editor = LineEditor(beginning + proposal.text + (proposal.isWhole ? " " : ""))
        // The only one needs no choosing.
        palette.choice = count == 1 ? nil : next
        palette.error = nil
    }

    private mutating func recall(_ step: Int) {
        guard let text = prompt?.editor.text else { return }
        let back = palette.back + step
        if palette.back == 0 { palette.newLine = text }
        guard back >= 0, back == 0 || earlierLines.line(back: back) != nil else { return }
        prompt?.editor = LineEditor(earlierLines.line(back: back) ?? palette.newLine)
        (palette.back, palette.choice, palette.error) = (back, nil, nil)
    }

    /// The command has ended: its output covers the list if it has several lines.
    mutating func receive(_ outcome: CommandOutcome, of line: String) {
        let isOpen = prompt?.purpose == .command && palette.isRunning
        if isOpen { palette.isRunning = false }
        log.add(.command, "\(program) \(line)", at: now)
        for note in outcome.notes { log.add(.note, note, at: now) }
        if let error = outcome.error {
            log.add(.error, error, at: now)
            if isOpen { palette.error = error } else { notice = Notice(text: error, isError: true) }
            return
        }
        if isOpen { prompt = nil }
        if outcome.lines.count > 1 {
            output = Output(title: line, lines: outcome.lines)
            overlay = .output
            overlayTop = 0
        } else if let text = outcome.lines.first ?? outcome.notes.first {
            notice = Notice(text: text)
        } else {
            notice = Notice(text: "Done: \(line)")
        }
        normalize()
    }
}
