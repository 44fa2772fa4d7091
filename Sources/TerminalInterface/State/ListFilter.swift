// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The parsed filter after `/`. All of its terms must match, each as one of:
///
/// - a condition as in commands: `state:failed`, `size>1G`, `host:*.example.org`;
/// - part of the name, the URL, the reason or the error, ignoring case;
/// - the beginning of a state, long or short (`fail`, `done`), or of `download` and `upload`.
struct ListFilter: Sendable {
    let text: String
    private let words: [Word]
    /// Whether it has ages, which count from a moment that passes.
    let hasAges: Bool
    /// The error of a complete condition; an incomplete one matches everything.
    let error: TransferError?

    private enum Word {
        case condition(QueueFilter.Term)
        case letters(String)
        /// An incomplete condition.
        case unfinished
    }

    /// Minimum letters of a state; fewer would match half of the list.
    private static let leastStateLetters = 3

    /// - Parameter now: seconds since 1970, the base of ages.
    init(_ text: String, now: Double) {
        self.text = text
        var error: TransferError?
        words = text.split(separator: " ").map { piece in
            let word = String(piece)
            guard Self.isCondition(word) else { return .letters(word.lowercased()) }
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

    var isEmpty: Bool { words.isEmpty }

    func takes(_ transfer: Transfer, _ sentences: InterfaceWords) -> Bool {
        words.allSatisfy { word in
            switch word {
            case .condition(let term): term.takes(transfer)
            case .letters(let letters): Self.takes(transfer, letters, sentences)
            case .unfinished: true
            }
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

    private static func takes(_ transfer: Transfer, _ letters: String, _ sentences: InterfaceWords) -> Bool {
        let texts = [DisplayName.of(transfer), transfer.url, sentences.reason(transfer)]
        if texts.contains(where: { $0?.lowercased().contains(letters) == true }) { return true }
        guard letters.count >= leastStateLetters else { return false }
        return [StateText.word(transfer.state), StateText.short(transfer.state).lowercased(), transfer.kind.rawValue]
            .contains { $0.hasPrefix(letters) }
    }
}
