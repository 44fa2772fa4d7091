// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    mutating func ask(_ purpose: Prompt.Purpose, text: String, about question: ConsentQuestion? = nil) {
        mode = .prompt(Prompt(purpose, text: text, about: question, limits, setup.words))
    }

    mutating func setFilter(_ text: String) {
        list.setFilter(text, now: now)
        // Where it leaves out the selected one, the first match is selected, not the heading of its group.
        refilter(near: list.hasNamedGroups ? 1 : 0)
        // The user did it.
        list.slidAt = nil
    }
}
