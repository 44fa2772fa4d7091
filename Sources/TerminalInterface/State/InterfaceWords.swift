// SPDX-License-Identifier: MIT

package import TransferModel

/// The sentences about transfers. The interface itself has only labels; the program that shows it provides these.
package struct InterfaceWords: Sendable {
    /// A question as text.
    package struct Question: Hashable, Sendable {
        /// One line without full stop.
        var summary: String
        /// What the user compares.
        var details: [Detail]

        package init(summary: String, details: [Detail]) {
            self.summary = summary
            self.details = details
        }

        package struct Detail: Hashable, Sendable {
            /// In the order in which a small window leaves details out: first the names, which the server may choose;
            /// then the key, whose certificate has a fingerprint, too.
            package enum Role: Int, Sendable, CaseIterable {
                case subject, issuer, validity, publicKey, certificate
            }

            package var role: Role
            package var label: String
            package var value: String

            package init(_ role: Role, _ label: String, _ value: String) {
                (self.role, self.label, self.value) = (role, label, value)
            }
        }
    }

    /// The labels of keys that advice names.
    package struct Keys: Sendable, Hashable {
        /// Uses the available network.
        package var lift: String
        package var retry: String
        package var pause: String
        package var cancel: String
        package var remove: String
        package var trust: String
        package var login: String
        /// Moves it to the top of the queue.
        package var top: String
        /// Starts it before its time.
        package var start: String
        /// Changes limits and slots of the queue.
        package var limits: String
        /// Gives it another address, file, or choice for an existing one.
        package var edit: String
        /// Chooses for a file that exists; ``edit``, unless a key does.
        package var replace: String
        /// Keeps a file that exists, too; `nil`: ``replace`` asks.
        package var keepBoth: String?
        /// Gives its file another name; ``edit``, unless a command does.
        package var rename: String
        /// Holds the whole queue, and releases it.
        package var pauseAll: String

        package init(
            lift: String, retry: String, pause: String, cancel: String, remove: String, trust: String, login: String,
            top: String, start: String, limits: String, edit: String, replace: String? = nil, keepBoth: String? = nil,
            rename: String? = nil, pauseAll: String
        ) {
            (self.lift, self.retry, self.pause, self.cancel) = (lift, retry, pause, cancel)
            (self.remove, self.trust, self.login, self.top) = (remove, trust, login, top)
            (self.start, self.limits, self.edit, self.pauseAll) = (start, limits, edit, pauseAll)
            (self.replace, self.rename, self.keepBoth) = (replace ?? edit, rename ?? edit, keepBoth)
        }
    }

    /// A ``Holdup`` in words.
    package struct Held: Sendable {
        /// Without full stop: `waits for a slot: 4 of 4 are taken`.
        package var fact: String
        /// Whether it stands for the state, too.
        package var isState: Bool
        /// What helps, without full stop.
        package var help: String?
        /// Both in one line, longest first.
        package var lines: [String]

        package init(fact: String, isState: Bool, help: String?, lines: [String]) {
            (self.fact, self.isState, self.help, self.lines) = (fact, isState, help, lines)
        }
    }

    /// An error with the next step.
    var failure: @Sendable (TransferError) -> String
    /// Why a transfer is as it is; `nil` if nothing is to be said.
    var reason: @Sendable (Transfer) -> String?
    /// What ends a wait, pause or delay; `nil` without advice.
    var advice: @Sendable (Transfer, Keys) -> String?
    var question: @Sendable (ConsentQuestion) -> Question
    /// The cause of a state in a few words, longest first: `404 Not Found`, `404`. Empty if there is none.
    var brief: @Sendable (Transfer) -> [String]
    /// A line on the state, with the keys that help, longest first.
    var why: @Sendable (Transfer, Keys) -> [String]
    /// `nil` without words for it.
    var held: @Sendable (Holdup, Keys) -> Held?

    package init(
        failure: @escaping @Sendable (TransferError) -> String, reason: @escaping @Sendable (Transfer) -> String?,
        advice: @escaping @Sendable (Transfer, Keys) -> String?,
        question: @escaping @Sendable (ConsentQuestion) -> Question,
        brief: @escaping @Sendable (Transfer) -> [String], why: @escaping @Sendable (Transfer, Keys) -> [String],
        held: @escaping @Sendable (Holdup, Keys) -> Held? = { _, _ in nil }
    ) {
        self.failure = failure
        self.reason = reason
        self.advice = advice
        self.question = question
        self.brief = brief
        self.why = why
        self.held = held
    }

    /// Only what is part of the values.
    package static let plain = InterfaceWords(
        failure: { $0.message }, reason: { $0.error?.message ?? TransferWords.plain.reason($0) },
        advice: { _, _ in nil }, question: { _ in Question(summary: "", details: []) },
        brief: { transfer in [transfer.error?.message ?? TransferWords.plain.reason(transfer)].compactMap(\.self) },
        why: { transfer, _ in [transfer.error?.message ?? TransferWords.plain.reason(transfer)].compactMap(\.self) })
}
