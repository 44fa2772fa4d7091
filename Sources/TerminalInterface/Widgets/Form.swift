// SPDX-License-Identifier: MIT

/// Labelled fields, one of which takes the keys: text, or one of several choices. Knows nothing of transfers.
struct Form: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        var label: String
        var editor: LineEditor
        /// Empty: a field of text.
        var choices: [String] = []
        var chosen = 0
        /// The choice that takes a text, which is typed behind it.
        var typedChoice: Int?
        /// Shown instead of an empty text.
        var placeholder = ""
        /// Shown instead of a text of several parts, unless the cursor is within.
        var summary: String?
        /// Whether its text can be picked from a list.
        var canPick = false
        /// Shown instead of the key that picks.
        var pickHint: String?
        /// Shown below until the field is changed.
        var error: String?
        /// Whether it applies; others are passed over.
        var isEnabled = true
        /// Whether it can apply.
        var isShown = true
        /// Drawn as marks.
        var isHidden = false

        init(
            _ label: String, text: String = "", placeholder: String = "", canPick: Bool = false,
            hasLines: Bool = false
        ) {
            self.label = label
            editor = LineEditor(text, hasLines: hasLines)
            (self.placeholder, self.canPick) = (placeholder, canPick)
        }

        init(_ label: String, choices: [String], chosen: Int = 0, typedChoice: Int? = nil) {
            self.label = label
            editor = LineEditor()
            (self.choices, self.chosen, self.typedChoice) = (choices, chosen, typedChoice)
        }

        var text: String { editor.text }
        /// Whether keys go into the text.
        var takesText: Bool { choices.isEmpty || chosen == typedChoice }

        mutating func setText(_ text: String) {
            editor = editor.replaced(by: text)
            error = nil
        }
    }

    /// What a key led to.
    enum Event: Hashable { case none, changed, submit, close, pick }

    var fields: [Field]
    var active = 0

    var field: Field { fields[active] }
    var hasErrors: Bool { fields.contains { $0.error != nil } }

    mutating func press(_ key: Key) -> Event {
        switch key {
        case .enter where field.canPick && field.text.isEmpty, .control("o") where field.canPick: return .pick
        case .enter: return .submit
        case .escape, .control("c"): return .close
        case .down, .tab: move(1)
        case .up, .backTab: move(-1)
        case .left where !field.choices.isEmpty: return choose(field.chosen - 1)
        case .right where !field.choices.isEmpty: return choose(field.chosen + 1)
        case .character(let scalar) where !field.choices.isEmpty: return type(scalar)
        default: return edit(key)
        }
        return .none
    }

    /// The next field that applies; after the last one the first.
    private mutating func move(_ step: Int) {
        let count = fields.count
        for distance in 1...max(1, count) {
            let index = (active + step * distance % count + count) % count
            if fields[index].isEnabled {
                active = index
                return
            }
        }
    }

    /// What a click is on.
    enum Spot: Hashable {
        case field(Int)
        case choice(Int, Int)
        /// What says which key picks.
        case pickHint(Int)
    }

    mutating func click(_ spot: Spot) -> Event {
        let index =
            switch spot {
            case .field(let index), .choice(let index, _), .pickHint(let index): index
            }
        guard fields.indices.contains(index), fields[index].isEnabled else { return .none }
        active = index
        switch spot {
        case .field: return .none
        case .choice(_, let choice): return choose(choice)
        case .pickHint: return .pick
        }
    }

    private mutating func choose(_ index: Int) -> Event {
        guard field.choices.indices.contains(index), index != field.chosen else { return .none }
        fields[active].chosen = index
        fields[active].error = nil
        return .changed
    }

    /// A letter chooses what begins with it, a space the next one; other characters are those of the typed choice.
    private mutating func type(_ scalar: Unicode.Scalar) -> Event {
        if field.takesText, !(field.text.isEmpty && scalar == " ") { return edit(.character(scalar)) }
        if scalar == " " { return choose((field.chosen + 1) % field.choices.count) }
        if let index = field.choices.firstIndex(where: { $0.unicodeScalars.first == scalar }) { return choose(index) }
        guard let typed = field.typedChoice else { return .none }
        _ = choose(typed)
        return edit(.character(scalar))
    }

    private mutating func edit(_ key: Key) -> Event {
        if case .paste = key, !field.takesText {
            guard let typed = field.typedChoice else { return .none }
            _ = choose(typed)
        }
        guard field.takesText, fields[active].editor.press(key) else { return .none }
        fields[active].error = nil
        return .changed
    }
}
