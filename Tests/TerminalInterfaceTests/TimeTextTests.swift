// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalInterface

struct TimeTextTests {
    @Test(
        arguments: [
            (3.2, "0:04"), (59, "0:59"), (60, "1:00"), (270.5, "4:31"), (10_920, "3h02"), (187_200, "2d4h"), (-1, "?"),
            (.infinity, "?"), (.nan, "?"),
        ] as [(Double, String)])
    func left(_ seconds: Double, _ text: String) { #expect(TimeText.left(seconds) == text) }

    @Test(
        arguments: [
            (100, 530, "1–9m"), (125, 540, "2–9m"), (20, 70, "20–70s"), (7300, 20_000, "2–6h"), (600, 620, "10–11m"),
            (2400, 9000, "40m–3h"), (36, 150, "36s–3m"), (70_000, 180_000, "19h–3d"), (0.5, 2, "0–2s"),
            (39, 103, "39s–2m"), (65, 118, "1–2m"), (700, 6600, "11m–2h"), (86_400, 8_553_600, "1–99d"),
            (1, 8_553_601, "?"),
        ] as [(Double, Double, String)])
    func ranges(_ least: Double, _ most: Double, _ text: String) { #expect(TimeText.range(least, most) == text) }

    /// So wide is the column.
    @Test func rangesHaveSixColumnsAtMost() {
        for most in stride(from: 1.0, through: 200_000, by: 37) {
            for part in [0.0, 0.2, 0.5, 0.9, 1] {
                let text = TimeText.range(most * part, most)
                #expect(CellWidth.of(text) <= ListColumn.left.least, "\(text)")
            }
        }
    }

    @Test(
        arguments: [
            (1_795_379_280, "20:28"), (1_795_213_920, "Fri 22:32"), (1_790_985_600, "2026-10-03"), (0, "?"),
        ] as [(Double, String)])
    func clock(_ time: Double, _ text: String) {
        #expect(LocalClock.utc.text(time, now: 1_795_379_280) == text)
    }

    @Test func clocksAreLocal() {
        let tokyo = LocalClock { _ in 9 * 3600 }
        #expect(tokyo.text(1_795_379_280, now: 1_795_379_280) == "05:28")
        #expect(tokyo.seconds(1_795_379_280) == "05:28:00")
    }
}
