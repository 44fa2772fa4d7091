// SPDX-License-Identifier: MIT

/// The look of a cell. Colour and weight only emphasize what text already says.
struct Style: Hashable, Sendable {
    enum Colour: UInt8, Sendable { case plain, red, green, yellow, blue, magenta, cyan, grey }

    struct Attributes: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let bold = Self(rawValue: 1)
        static let reverse = Self(rawValue: 4)
    }

    var colour: Colour = .plain
    var attributes: Attributes = []

    static let plain = Style()
    static let bold = Style(attributes: .bold)
    static let faint = Style(colour: .grey)
    static let key = Style(colour: .cyan, attributes: .bold)
    static let warning = Style(colour: .yellow)
    static let failure = Style(colour: .red, attributes: .bold)
}
