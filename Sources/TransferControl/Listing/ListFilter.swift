// SPDX-License-Identifier: MIT

package import TransferModel

/// The parsed filter after `/`. All of its terms must match, each as one of:
///
/// - a condition as in commands: `state:failed`, `size>1G`, `host:*.example.org`;
/// - part of the name, the URL, the reason or the error, ignoring case;
/// - the beginning of a state, long or short (`fail`, `done`), or of `download` and `upload`. The state of one that
///   asks for something is `asks`, as shown, while its condition is `state:paused`.
package struct ListFilter: Sendable {
    package let text: String
    private let words: [Word]
    /// Whether it has ages, which count from a moment that passes.
    package let hasAges: Bool
    /// The error of a complete condition; an incomplete one matches everything.
    package let error: TransferError?

    private enum Word {
        case condition(QueueFilter.Term)
        case letters(Letters)
        /// An incomplete condition.
        case unfinished
    }

    /// Minimum letters of a state; fewer would match half of the list.
    private static let leastStateLetters = 3

    /// - Parameter now: seconds since 1970, the base of ages.
    package init(_ text: String, now: Double) {
        self.text = text
        var error: TransferError?
        words = text.split(separator: " ").map { piece in
            let word = String(piece)
            guard Self.isCondition(word) else { return .letters(Letters(word)) }
            do throws(TransferError) {
                return .condition(try QueueFilter.Term(parsing: word, now: now))
            } catch let problem {
                error = error ?? problem
                return .unfinished
            }
        }
        self.error = error
        hasAges = words.contains { word in
            guard case .condition(let term) = word else { return false }
            return switch term.test {
            case .added, .ended: true
            default: false
            }
        }
    }

    package var isEmpty: Bool { words.isEmpty }

    /// - Parameter reason: why a transfer is as it is; `nil` if nothing is to be said.
    package func takes(_ transfer: Transfer, reason: (Transfer) -> String?) -> Bool {
        words.allSatisfy { word in
            switch word {
            case .condition(let term): term.takes(transfer)
            case .letters(let letters): Self.takes(transfer, letters, reason)
            case .unfinished: true
            }
        }
    }

    /// Whether all that it takes is taken by `other`, too, as is usual while one is typed. False if that is unknown.
    func isNarrower(than other: ListFilter) -> Bool {
        words.count >= other.words.count && zip(words, other.words).allSatisfy { Self.isNarrower($0, $1) }
    }

    private static func isNarrower(_ word: Word, _ other: Word) -> Bool {
        switch (word, other) {
        case (_, .unfinished): true
        case (.condition(let term), .condition(let earlier)): term == earlier
        case (.letters(let letters), .letters(let earlier)):
            // States are searched from some length on.
            letters.text.hasPrefix(earlier.text)
                && (earlier.text.count >= leastStateLetters || letters.text.count < leastStateLetters)
        case (.condition, .letters), (.letters, .condition), (.unfinished, .condition), (.unfinished, .letters): false
        }
    }

    /// Whether a term begins like a condition: a field name and an operator.
    private static func isCondition(_ word: String) -> Bool {
        let name = word.drop { $0 == "!" }.prefix { $0.isASCII && $0.isLetter }
        guard QueueFilter.Term.Field(rawValue: name.lowercased()) != nil,
            let sign = word.drop(while: { $0 == "!" }).dropFirst(name.count).first
        else { return false }
        return ":=<>!".contains(sign)
    }

    private static func takes(_ transfer: Transfer, _ letters: Letters, _ reason: (Transfer) -> String?) -> Bool {
        // The name of a stream or a folder is not the end of its path.
        let isFile = transfer.file != "-" && !transfer.file.endsWithSlash
        let name = isFile ? transfer.file.afterLastSlash : transfer.displayName[...]
        if letters.isIn(name) || letters.isIn(transfer.url) { return true }
        if let why = reason(transfer), letters.isIn(why) { return true }
        guard letters.text.count >= leastStateLetters else { return false }
        let state = transfer.state
        let isAsking = state == .paused && transfer.question != nil
        let states = isAsking ? ["asks"] : [state.rawValue, state.shortWord.lowercased()]
        return (states + [transfer.kind.rawValue]).contains { $0.hasPrefix(letters.text) }
    }
}

extension TransferState {
    /// At most five columns, for narrow windows.
    package var shortWord: String {
        switch self {
        case .queued: "queue"
        case .running: "run"
        case .waiting: "wait"
        case .retrying: "retry"
        case .paused: "pause"
        case .verifying: "check"
        case .completed: "done"
        case .failed: "FAIL"
        case .cancelled: "canc"
        }
    }
}
