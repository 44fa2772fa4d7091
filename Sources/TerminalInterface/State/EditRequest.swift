// SPDX-License-Identifier: MIT

package import TransferModel

/// What the form for editing changes, as typed; `nil`: nothing. The program that shows it makes commands of it.
package struct EditRequest: Sendable, Hashable {
    /// What a download does where its file exists.
    package enum Existing: String, Sendable, Hashable, CaseIterable {
        case fail, replace, skip, newer
        case keepBoth = "keep-both"
    }

    package enum Start: Sendable, Hashable {
        case now
        /// As typed: `23:30`
        case at(String)
    }

    package var ids: [TransferID]
    package var address: String?
    /// With ``folder``: the file.
    package var name: String?
    /// `~` for the home folder.
    package var folder: String?
    package var existing: Existing?
    /// Replace all others: `a=1; b=2`, or `@FILE`.
    package var cookies: String?
    package var start: Start?
    /// `low`, `normal` or `high`
    package var priority: String?
    /// `none` removes it.
    package var limit: String?
    package var user: String?
    /// `nil`: that of netrc.
    package var password: String?
    /// Those that are resumed afterwards.
    package var resumes: [TransferID] = []

    package init(_ ids: [TransferID]) { self.ids = ids }

    package var isEmpty: Bool { self == EditRequest(ids) }
    /// Whether it concerns more than the terms of the queue: a running transfer begins another attempt.
    package var isRelocation: Bool {
        address != nil || name != nil || folder != nil || existing != nil || cookies != nil || user != nil
    }

    /// The failed ones, which start again with what they may have failed of.
    func failed(of transfers: [Transfer]) -> [TransferID] {
        isRelocation ? transfers.filter { $0.state == .failed }.map(\.id) : []
    }

    /// Those that asked for the login, if it has one.
    func answered(of transfers: [Transfer]) -> [TransferID] {
        guard user != nil else { return [] }
        return transfers.filter { transfer in
            if case .login? = transfer.question { return transfer.state == .paused }
            return false
        }.map(\.id)
    }
}

/// The fields of the form, from the top.
package enum EditField: Int, Sendable, Hashable, CaseIterable {
    case address, name, folder, existing, cookies, start, priority, limit, user, password
}

/// What is known of a request without the network and without the queue.
package struct EditOutlook: Sendable, Hashable {
    /// Why it cannot be done as it stands.
    package var problem: String?
    /// What ``problem`` is about.
    package var field: EditField?
    /// The new file exists.
    package var exists = false

    package init() {}
}

/// The result of editing.
package enum EditOutcome: Sendable, Hashable {
    /// Changed by so many commands, each of which can be reverted; with warnings, and what started again.
    case done(steps: Int, notes: [String])
    /// `nil`: no field is the cause.
    case failed(String, EditField?)
}
