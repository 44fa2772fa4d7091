// SPDX-License-Identifier: MIT

/// A page in mdoc: escapes text lines for roff, leaves macro lines unchanged.
struct ManualWriter {
    /// Date of the last change of the texts.
    private static let date = "November 29, 2026"

    private(set) var text = ""

    mutating func macro(_ line: String) { text += ".\(line)\n" }

    mutating func line(_ words: String) {
        let escaped = Self.escaped(words)
        text += (escaped.first == "." || escaped.first == "'" ? "\\&" : "") + escaped + "\n"
    }

    /// What every page begins with.
    mutating func begin(_ name: String, section: Int, _ abstract: String) {
        macro("Dd \(Self.date)")
        macro("Dt \(name.uppercased()) \(section)")
        macro("Os")
        macro("Sh NAME")
        macro("Nm \(name)")
        macro("Nd \(Self.escaped(abstract))")
    }

    mutating func description(_ command: CommandInventory, _ discussion: String) {
        paragraphs(command.abstract ?? "")
        guard !discussion.isEmpty else { return }
        macro("Pp")
        paragraphs(discussion)
    }

    /// Names, words after each.
    mutating func list(_ items: [(name: String, meaning: String)], as macroName: String) {
        macro("Bl -tag -width Ds")
        for (name, meaning) in items {
            macro("It \(macroName) " + (macroName == "Ev" ? Self.quoted(name) : name))
            line(meaning)
        }
        macro("El")
    }

    /// One entry each; nothing for none.
    mutating func options(_ arguments: [CommandInventory.Argument]) {
        guard !arguments.isEmpty else { return }
        macro("Bl -tag -width Ds")
        for argument in arguments {
            var names = (argument.names ?? []).sorted { $0.kind == .short && $1.kind != .short }.map(Self.flag)
                .joined(separator: " , ")
            if argument.kind == .option { names += " Ar " + Self.quoted(argument.valueName ?? "value") }
            macro("It \(names)")
            paragraphs(argument.abstract ?? "")
            if let value = argument.defaultValue { line("(default: \(value))") }
        }
        macro("El")
    }

    /// One line of names, the long ones where there are some.
    mutating func names(_ arguments: [CommandInventory.Argument]) {
        for (index, argument) in arguments.enumerated() {
            let names = argument.names ?? []
            guard let name = names.first(where: { $0.kind == .long }) ?? names.first else { continue }
            macro(Self.flag(name) + (index == arguments.count - 1 ? " ." : " ,"))
        }
    }

    mutating func examples(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        macro("Sh EXAMPLES")
        macro("Bd -literal")
        for line in lines { self.line(line) }
        macro("Ed")
    }

    private static func flag(_ name: CommandInventory.Argument.Name) -> String {
        name.kind == .long ? "Fl Fl \(name.name)" : "Fl \(name.name)"
    }

    /// Blank lines separate paragraphs; indented lines are examples and keep their layout.
    mutating func paragraphs(_ words: String) {
        var isDisplay = false
        for words in words.split(separator: "\n", omittingEmptySubsequences: false) {
            let isIndented = words.hasPrefix("  ")
            if isIndented != isDisplay { macro(isIndented ? "Bd -literal -offset indent" : "Ed") }
            isDisplay = isIndented
            if words.isEmpty { macro("Pp") } else { line(String(words.drop { $0 == " " })) }
        }
        if isDisplay { macro("Ed") }
    }

    /// One macro argument with any content. Alone, a bracket would be a delimiter.
    static func quoted(_ words: String) -> String {
        "\"\(words.utf8.count == 1 ? "\\&" : "")\(escaped(words))\""
    }

    private static func escaped(_ words: String) -> String {
        var text = ""
        for scalar in words.unicodeScalars {
            switch scalar {
            case "\\": text += "\\e"
            case "-": text += "\\-"
            case _ where !scalar.isASCII: text += "\\[u\(hex(scalar))]"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func hex(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
