// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalInterface

struct ThemeTests {
    @Test(arguments: Theme.allCases) func everyRoleIsDistinct(_ theme: Theme) {
        for depth in [Theme.Depth.basic, .palette, .direct] where theme != .monochrome {
            let looks = Style.Role.allCases.map { theme.look(of: Style(role: $0), depth) }
            #expect(Set(looks).count == looks.count, "\(theme) \(depth)")
        }
        // Without colours, weight shows what needs attention.
        #expect(theme.look(of: .failure, .none) == Theme.Look(isBold: true))
        #expect(theme.look(of: .faint, .none) == Theme.Look(isDim: true))
        #expect(theme.look(of: .key, .none).isBold && !theme.look(of: .plain, .none).isBold)
    }

    @Test func followsTheBackground() {
        #expect(Theme.auto.resolved(luminance: 250) == .light && Theme.auto.resolved(luminance: 10) == .dark)
        #expect(Theme.auto.resolved(luminance: -1) == .dark && Theme.nord.resolved(luminance: 250) == .nord)
        let variables = [nil, "", "0;15", "0;default;7", "15;0", "12;8", "x"]
        #expect(variables.map { Theme.luminance($0) } == [-1, -1, 255, 255, 0, 0, -1])
    }

    /// Whichever text and ground the terminal has: what the eye looks for is seen, and what it finds can be read.
    @Test(
        arguments: [
            (.dark, 0x15181e), (.light, 0xffffff), (.highContrast, 0x000000), (.gruvbox, 0x282828), (.nord, 0x2e3440),
        ] as [(Theme, Int)])
    func theSelectionIsSeenAndReadable(_ theme: Theme, _ paper: Int) {
        for style in Style.all where style.isSelected {
            let look = theme.look(of: style, .direct)
            let (text, ground) = (look.foreground, look.background)
            let colours = "\(theme) \(style.role): \(String(text, radix: 16)) on \(String(ground, radix: 16))"
            let least = style.role == .plain || style.role == .faint ? 4 : 2
            #expect(text >= 0 && Theme.contrast(text, ground) >= Double(least), "\(colours)")
            #expect(Theme.contrast(ground, paper) >= 2, "\(colours)")
        }
        #expect(theme.look(of: .plain, .direct).foreground == -1)
    }

    @Test func contrastIsThatOfTheStandard() {
        #expect(Theme.contrast(0x000000, 0xffffff) == 21 && Theme.contrast(0x123456, 0x123456) == 1)
        #expect(abs(Theme.contrast(0x777777, 0xffffff) - 4.48) < 0.01)
    }

    @Test func sixteenColoursAndNoneReverse() {
        for role in Style.Role.allCases {
            for (theme, depth) in [(Theme.dark, Theme.Depth.basic), (.light, .none), (.monochrome, .direct)] {
                let look = theme.look(of: Style(role: role, isBold: true, isSelected: true), depth)
                #expect(look == Theme.Look(isBold: true, isReversed: true))
            }
        }
        #expect(Theme.dark.look(of: Style(isSelected: true), .palette).background == 239)
        #expect(Theme.dark.look(of: .warning, .basic).foreground == 3)
    }

    @Test func stylesHaveTheirPlaceInTheTable() {
        #expect(Style.all.enumerated().allSatisfy { $0.offset == Int($0.element.index) })
        #expect(Style.all.count == Style.count && Style.count <= 32)
    }
}
