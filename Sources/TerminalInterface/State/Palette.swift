// SPDX-License-Identifier: MIT

/// What belongs to an open command line, beside its text.
struct Palette: Hashable, Sendable {
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
    /// What it says beside.
    package var notes: [String]
    /// Why it failed, with the next step.
    package var error: String?
    /// For the terminal's clipboard.
    package var copied: String?

    package init(lines: [String] = [], notes: [String] = [], error: String? = nil) {
        (self.lines, self.notes, self.error) = (lines, notes, error)
    }
}
