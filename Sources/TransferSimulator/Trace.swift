// SPDX-License-Identifier: MIT

import TransferModel

/// What happened in one run of a seed: a hash of everything, counters, the first violation, and on request the lines.
final class Trace: @unchecked Sendable {  // Used on one thread.
    struct Violation: Error {
        var invariant: String
        var detail: String
    }

    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var violation: Violation?
    /// What was reached, and how often.
    private(set) var reached = Counters()
    /// The last ones.
    private(set) var lines: [String] = []
    private let keepsLines: Bool
    private let showsSteps: Bool
    private static let maximumLines = 100_000

    init(keepsLines: Bool = false, showsSteps: Bool = false) {
        (self.keepsLines, self.showsSteps) = (keepsLines, showsSteps)
    }

    private func mix(_ text: String) {
        var text = text
        text.withUTF8 { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    }

    private func mix(_ number: UInt64) { hash = (hash ^ number) &* 0x9E37_79B9_7F4A_7C15 }

    /// - Parameter key: the same for the same label.
    func step(_ time: Double, _ label: String, _ key: UInt64) {
        mix(time.bitPattern)
        mix(key)
        if showsSteps { append(time, label) }
    }

    /// - Parameter text: the same in each run of a seed: neither addresses nor inodes.
    func note(_ time: Double, _ text: @autoclosure () -> String) {
        let text = text()
        mix(text)
        if keepsLines { append(time, text) }
    }

    private func append(_ time: Double, _ text: String) {
        let seconds = (time * 1000).rounded() / 1000
        lines.append("\(seconds)  \(text)")
        if lines.count > Self.maximumLines { lines.removeFirst(Self.maximumLines / 2) }
    }

    func sometimes(_ name: String) { reached.others[name, default: 0] += 1 }
    func met(_ fault: Fault) { reached.faults[fault, default: 0] += 1 }

    func became(_ state: TransferState, from old: TransferState) {
        reached.transitions[.init(from: old, to: state), default: 0] += 1
    }

    /// The first one counts.
    func violate(_ invariant: String, _ detail: String) {
        guard violation == nil else { return }
        violation = Violation(invariant: invariant, detail: detail)
        if keepsLines { lines.append("VIOLATION \(invariant): \(detail)") }
    }
}
