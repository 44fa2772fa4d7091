// SPDX-License-Identifier: MIT

/// The reason for a transfer's state, or a remark on its result. A value: the message catalogue makes the sentence.
package indirect enum TransferNote: Sendable, Hashable {
    /// A sentence of an earlier version or another program.
    case text(String)
    /// The error of the last attempt.
    case failure(TransferError)
    /// The question that the server asks.
    case question(ConsentQuestion)
    case network(PathWait)
    /// The download started from the first byte although bytes were there.
    /// - Parameters:
    ///   - file: the name of the file that keeps them until the new version is complete; `nil`: none does.
    ///   - bytes: its length.
    case restarted(RestartCause, file: String? = nil, bytes: Int64 = 0)
    /// An address of the file failed, and another one is asked instead.
    /// - Parameters:
    ///   - failed: the server of the first one, `next`: that of the other.
    case mirror(failed: String, next: String, TransferError)
    /// The named server sent bytes that differ from the file's, and is not used any more.
    case wrongMirror(String)
    /// Another address or other credentials were given.
    case relocated
    /// A download was given another file or folder.
    case moved
    /// The stored bytes are being copied to this folder, on another file system; the download continues afterwards.
    case moving(to: String)
    /// The server does not allow resuming.
    case notResumable
    /// The server encoded the body without being asked, with this content coding, and it is saved so.
    case encoded(String)
    /// The bytes of a download that cannot be resumed are in the file of this name.
    case leftBehind(file: String, bytes: Int64)
    /// The upload began at this byte of the file, since another program had created it at its address.
    case adopted(at: Int64)
    /// Nothing was fetched, since the file exists.
    case skipped
    /// Nothing was fetched, since the server has no newer version.
    case notModified
    /// A predecessor ended without completing. The state is `nil` once it has left the queue.
    case predecessor(TransferID, TransferState?)
    case several([TransferNote])

    /// Joins notes in order; `nil` if there are none.
    package static func joined(_ notes: [TransferNote?]) -> TransferNote? {
        let parts = notes.compactMap(\.self).flatMap { note in
            if case .several(let parts) = note { parts } else { [note] }
        }
        return parts.count > 1 ? .several(parts) : parts.first
    }

    /// Whether it says that the server allows no resuming.
    package var deniesResuming: Bool {
        switch self {
        case .notResumable, .leftBehind: true
        case .several(let notes): notes.contains(where: \.deniesResuming)
        case .text, .failure, .question, .network, .restarted, .mirror, .wrongMirror, .relocated, .moved, .moving,
            .encoded, .adopted, .skipped, .notModified, .predecessor:
            false
        }
    }

    /// The sentence that is part of the value: the library's, the server's, or an earlier version's. `nil` for a note
    /// that only the program puts into words.
    package var text: String? {
        switch self {
        case .text(let text): text
        case .failure(let error): error.message
        case .network(let wait): wait.message
        case .question, .restarted, .mirror, .wrongMirror, .relocated, .moved, .moving, .notResumable, .encoded,
            .leftBehind, .adopted, .skipped, .notModified, .predecessor, .several:
            nil
        }
    }
}

/// The network that a transfer waits for, and since when.
package struct NetworkWait: Sendable, Hashable {
    package var note: TransferNote?
    /// Seconds since 1970 when it began; another reason does not restart it.
    package var since: Double?
    /// While it waits for a network that is allowed: `cellular`, `expensive` or `constrained`, as the available one.
    package var unavailableReason: String?

    package init(_ note: TransferNote? = nil, since: Double? = nil, unavailableReason: String? = nil) {
        self.note = note
        self.since = since
        self.unavailableReason = unavailableReason
    }

    package init(_ wait: PathWait, since: Double? = nil) {
        self.init(.network(wait), since: since, unavailableReason: wait.unavailableReason?.rawValue)
    }
}

/// The sentences of a transfer, for those who have no catalogue: clients of another version, hooks.
package struct TransferWords: Sendable {
    /// Why it is as it is.
    package var reason: @Sendable (Transfer) -> String?
    /// The step that ends a wait or pause, for people.
    package var advice: @Sendable (Transfer) -> String?
    /// Why it failed.
    package var failure: @Sendable (Transfer) -> String?

    package init(
        reason: @escaping @Sendable (Transfer) -> String?, advice: @escaping @Sendable (Transfer) -> String?,
        failure: @escaping @Sendable (Transfer) -> String? = { $0.error?.message }
    ) {
        self.reason = reason
        self.advice = advice
        self.failure = failure
    }

    /// Only what is part of the values.
    package static let plain = TransferWords(reason: { $0.note?.text }, advice: { _ in nil })
}

extension CodingUserInfoKey {
    /// The ``TransferWords`` of an encoder; without them it writes the plain ones.
    package static let words = CodingUserInfoKey(rawValue: "words")!
}
