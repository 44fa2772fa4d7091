// SPDX-License-Identifier: MIT

import Foundation
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

    /// Not black on black, whichever text the terminal has automatically.
    @Test(arguments: Theme.allCases.filter { $0 != .monochrome }) func selectedTextIsReadable(_ theme: Theme) {
        func luminance(_ colour: Int) -> Double {
            func linear(_ shift: Int) -> Double {
                let part = Double((colour >> shift) & 255) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
        }
        let look = theme.look(of: Style(isSelected: true), .direct)
        let (text, ground) = (luminance(look.foreground) + 0.05, luminance(look.background) + 0.05)
        let contrast = max(text, ground) / min(text, ground)
        #expect(look.foreground >= 0 && contrast >= 7, "\(theme)")
        #expect(theme.look(of: .plain, .direct).foreground == -1)
    }

    @Test func sixteenColoursHaveNoBackground() {
        #expect(Theme.dark.look(of: Style(isSelected: true), .basic).background == -1)
        #expect(Theme.dark.look(of: Style(isSelected: true), .palette).background == 236)
        #expect(Theme.light.look(of: Style(isSelected: true), .direct).background == 0xe6eaf0)
        #expect(Theme.dark.look(of: .warning, .basic).foreground == 3)
    }

    @Test func stylesHaveTheirPlaceInTheTable() {
        #expect(Style.all.enumerated().allSatisfy { $0.offset == Int($0.element.index) })
        #expect(Style.all.count == Style.count && Style.count <= 32)
    }
}
