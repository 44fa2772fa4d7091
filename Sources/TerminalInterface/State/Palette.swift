// SPDX-License-Identifier: MIT

/// An open command line.
struct Palette: Hashable, Sendable {
    var editor = LineEditor()
    /// The proposal that Tab chose; `nil`: the text is as typed.
    var choice: Int?
    /// The proposals when Tab was first pressed.
    var proposals: [Completion] = []
    /// The text before Tab.
    var typed = ""
    /// How many lines back in the history; 0: the new line.
    var back = 0
    /// The new line, while an earlier one is shown.
    var newLine = ""
    /// Why the line was refused.
    var error: String?
    /// The command runs; its result is awaited.
    var isRunning = false

    /// The text is another one than before.
    mutating func textChanged() { (choice, error, back) = (nil, nil, 0) }

    /// Takes one of ``proposals``; outside of them, the text is as typed.
    mutating func choose(_ next: Int) {
        guard !proposals.isEmpty else { return }
        guard proposals.indices.contains(next) else {
            choice = nil
            editor = LineEditor(typed)
            return
        }
        let proposal = proposals[next]
        let beginning = typed.dropLast(CommandVocabulary.lastWord(of: typed).count)
        editor = LineEditor(beginning + proposal.text + (proposal.isWhole ? " " : ""))
        // The only one needs no choosing.
        choice = proposals.count == 1 ? nil : next
        error = nil
    }

    /// The palette with an earlier line of the history, or a later one.
    func recalling(_ step: Int, of lines: LineHistory) -> Palette {
        var palette = self
        let wanted = back + step
        if back == 0 { palette.newLine = editor.text }
        guard wanted >= 0, wanted == 0 || lines.line(back: wanted) != nil else { return palette }
        palette.editor = LineEditor(lines.line(back: wanted) ?? palette.newLine)
        palette.textChanged()
        palette.back = wanted
        return palette
    }
}

/// The lines that were run, oldest first.
struct LineHistory: Hashable, Sendable {
    static let capacity = 200
    private(set) var lines: [String] = []

    mutating func add(_ line: String) {
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > Self.capacity { lines.removeFirst() }
    }

    /// - Parameter back: 1 is the latest.
    func line(back: Int) -> String? { back > 0 && back <= lines.count ? lines[lines.count - back] : nil }
}

/// The result of a command line.
package struct CommandOutcome: Sendable, Hashable {
    /// Its output.
    package var lines: [String]
    /// Notes for the log.
    package var notes: [String]
    /// Why it failed, with the next step.
    package var error: String?
    /// For the terminal's clipboard.
    package var copied: String?

    package init(lines: [String] = [], notes: [String] = [], error: String? = nil) {
        (self.lines, self.notes, self.error) = (lines, notes, error)
    }
}
