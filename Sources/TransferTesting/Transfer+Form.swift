// SPDX-License-Identifier: MIT

package import TransferModel

/// Transfers by their flat form: what does not fit the state is dropped.
extension Transfer {
    package init(id: TransferID, kind: TransferKind, url: String, file: String, state: TransferState) {
        self.init(TransferForm(id: id, kind: kind, url: url, file: file, state: state))
    }

    package mutating func edit(_ change: (inout TransferForm) throws -> Void) rethrows {
        var form = TransferForm(self)
        try change(&form)
        var new = Transfer(form)
        (new.place, new.checkpoint) = (place, checkpoint)
        self = new
    }

    package func edited(_ change: (inout TransferForm) throws -> Void) rethrows -> Transfer {
        var new = self
        try new.edit(change)
        return new
    }
}
