// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// Why a queued or running transfer does not move, and what helps.
extension MessageCatalog {
    static func held(_ holdup: Holdup, _ keys: InterfaceWords.Keys) -> InterfaceWords.Held {
        let slots = "\(keys.limits) changes the slots"
        switch holdup {
        case .time(let time, in: let span):
            return held(["starts at \(time), in \(span)", "starts at \(time)"], ["\(keys.start) starts it now"])
        case .next(taken: let count?):
            return held(["starts next: \(taken(count, "slot"))", "starts next"], [slots])
        case .next(taken: nil): return held(["starts next"], [])
        case .slots(let count):
            let top = "\(keys.top) moves it to the top"
            return held(["waits for a slot: \(taken(count))", "waits for a slot"], ["\(top), \(slots)", top])
        case .host(let host, let count):
            return held(
                ["waits for a slot of \(host): \(taken(count))", "waits for a slot of \(host)", "waits for a slot"],
                ["\(slots) per server"])
        case .predecessors(let ids): return held(["starts after \(TransferID.list(ids))", "starts later"], [])
        case .others: return held(["starts when no other transfer runs"], [])
        case .response(let time):
            let fact = "waiting for the server for \(time)"
            return held(["\(fact): all bytes are sent", fact, "waiting for the server"], [], isState: true)
        case .silence(let time, let isUpload):
            return held(["nothing \(isUpload ? "was sent" : "has arrived") for \(time)"], [])
        }
    }

    /// `4 of 4 are taken`
    private static func taken(_ count: Int, _ noun: String? = nil) -> String {
        let name = noun.map { " \($0)" + (count == 1 ? "" : "s") } ?? ""
        return "\(count) of \(count)\(name) \(count == 1 ? "is" : "are") taken"
    }

    /// - Parameters:
    ///   - facts: without full stop, longest first; at least one.
    ///   - helps: the same of the keys.
    private static func held(_ facts: [String], _ helps: [String], isState: Bool = false) -> InterfaceWords.Held {
        InterfaceWords.Held(
            fact: facts[0], isState: isState, help: helps.first,
            lines: lines(facts.map { capitalized($0) + "." }, helps.map { $0 + "." }))
    }
}
