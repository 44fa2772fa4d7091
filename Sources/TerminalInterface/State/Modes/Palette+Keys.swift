// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The command line at the bottom, which takes what the shell takes after `fileq`.
extension Palette {
    /// Proposals for the text as it stands, or those that Tab goes through.
    func proposals(on screen: InterfaceState) -> [Completion] {
        if choice != nil { return proposals }
        return Self.vocabulary(screen).completions(of: editor.text, transfers: Self.candidates(screen))
    }

    /// Transfers to complete with: the targets, then the list.
    private static func candidates(_ screen: InterfaceState) -> [(id: String, name: String)] {
        let first = screen.targets.prefix(20).map(\.id)
        let others = screen.list.visible.lazy.filter { !first.contains($0) }.prefix(500)
        return (first + others).compactMap { id in
            screen.list.transfer(id).map { (String(id.rawValue), DisplayName.of($0)) }
        }
    }

    /// The commands of a shell, and those of the screen.
    private static func vocabulary(_ screen: InterfaceState) -> CommandVocabulary {
        var vocabulary = screen.setup.vocabulary
        vocabulary.commands.append(
            .init(
                path: [viewCommand], arguments: "<name>", help: "Show a view.", options: [], takesTransfers: false,
                words: screen.list.views.map { screen.list.title($0).lowercased() }))
        guard screen.setup.changesMachine else { return vocabulary }
        vocabulary.commands.append(
            .init(
                path: [machineCommand], arguments: "<machine>",
                help: "Show the queue of another machine; local: of this one.", options: [], takesTransfers: false,
                words: ["local"]))
        return vocabulary
    }

    private static let viewCommand = "view", machineCommand = "on"

    /// What `line` asks for, without `fileq`.
    private static func effect(of line: String, _ screen: InterfaceState) -> Effect {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard screen.setup.changesMachine, words.first == machineCommand else { return .run(line) }
        return .on(machine: words.count > 1 ? RateText.trimmed(words[1]) : "", line: line)
    }

    /// Shows the view that the line names; a name that is none is an error.
    /// - Returns: whether the line is such a command.
    private func showsView(_ line: String, _ screen: inout InterfaceState) -> Bool {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.first.map({ $0 == Self.viewCommand }) ?? false else { return false }
        let views = screen.list.ownViews
        screen.earlierLines.add(line)
        if let view = QueueView.named(words.count > 1 ? RateText.trimmed(String(words[1])) : "", own: views) {
            screen.mode = .list
            screen.show(view)
        } else {
            var palette = self
            palette.textChanged()
            palette.error = "there are " + QueueView.titles(own: views).map(\.title).joined(separator: ", ")
            screen.mode = .palette(palette)
        }
        return true
    }

    func press(_ key: Key, on screen: inout InterfaceState) -> [Effect] {
        switch key {
        case .tab: screen.mode = .palette(chosen(1, screen))
        case .backTab: screen.mode = .palette(chosen(-1, screen))
        case .up: screen.mode = .palette(recalling(1, of: screen.earlierLines))
        case .down: screen.mode = .palette(recalling(-1, of: screen.earlierLines))
        case .enter: return run(&screen)
        case .escape, .control("c"): screen.mode = .list
        default:
            var palette = self
            guard palette.editor.press(key) else { return [] }
            palette.textChanged()
            screen.mode = .palette(palette)
        }
        return []
    }

    private func run(_ screen: inout InterfaceState) -> [Effect] {
        let line = RateText.trimmed(editor.text)
        let isEnd = line == "q" || line == "quit"
        guard !line.isEmpty, !isEnd else {
            screen.mode = .list
            return isEnd ? [.quit(isConfirmed: false)] : []
        }
        guard !isRunning, !showsView(line, &screen) else { return [] }
        screen.earlierLines.add(line)
        var palette = self
        palette.textChanged()
        palette.isRunning = true
        screen.mode = .palette(palette)
        return [Self.effect(of: line, screen)]
    }

    /// The palette with the next proposal; after the last one, with the text as typed.
    private func chosen(_ step: Int, _ screen: InterfaceState) -> Palette {
        chosen(at: choice.map { $0 + step } ?? (step > 0 ? 0 : proposals(on: screen).count - 1), on: screen)
    }

    /// - Parameter next: outside of the proposals, the text is as typed.
    func chosen(at next: Int, on screen: InterfaceState) -> Palette {
        guard !isRunning else { return self }
        var palette = self
        if choice == nil {
            (palette.proposals, palette.typed) = (proposals(on: screen), editor.text)
        }
        palette.choose(next)
        return palette
    }
}
