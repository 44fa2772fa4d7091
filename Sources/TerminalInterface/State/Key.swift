// SPDX-License-Identifier: MIT

/// A press of a mouse button, a step of the wheel, or a motion with the left button held.
struct Mouse: Hashable, Sendable {
    /// `dragged` and `released`: the left one.
    enum Button: Hashable, Sendable { case left, middle, right, wheelUp, wheelDown, dragged, released }

    /// Rows of a step of the wheel.
    static let wheelRows = 3

    var button: Button
    /// From 0, at the top left.
    var row: Int
    var column: Int
}

/// A key press or paste. A literal is a character.
enum Key: Hashable, Sendable, ExpressibleByUnicodeScalarLiteral {
    case character(Unicode.Scalar)
    /// A letter with Ctrl, lower case.
    case control(Unicode.Scalar)
    case up, down, left, right, home, end, pageUp, pageDown, enter, escape, backspace, delete, tab, backTab
    /// `F1` is 1.
    case function(Int)
    /// Not used by any action.
    case unknown
    case mouse(Mouse)
    /// Pasted text; not interpreted as commands.
    case paste(String)

    init(unicodeScalarLiteral scalar: Unicode.Scalar) { self = .character(scalar) }

    /// Its name in help texts.
    var label: String {
        switch self {
        case .character(" "): "Space"
        case .character(let scalar): String(scalar)
        case .control(let scalar): "Ctrl-" + String(scalar).uppercased()
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .enter: "Enter"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .function(let number): "F\(number)"
        case .unknown: "?"
        case .paste: "paste"
        case .mouse: "mouse"
        }
    }
}
