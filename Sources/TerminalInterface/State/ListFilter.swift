// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What is typed after `/`, made ready for many transfers. All of its words must fit, each in one of these ways:
///
/// - a condition as the commands take it: `state:failed`, `size>1G`, `host:*.example.org`;
/// - letters of the name, the address, the reason or the error, whatever their case;
/// - the beginning of a state's word, long or short (`fail`, `done`), or of `download` and `upload`.
struct ListFilter: Sendable {
    let text: String
    private let words: [Word]
    /// What is wrong with a condition that is written to its end; while it is being typed it leaves nobody out.
    let error: TransferError?

    private enum Word {
        case condition(QueueFilter.Term)
        case letters(String)
        /// A condition that cannot be read yet.
        case unfinished
    }

    /// So many letters say a state; fewer would take in half of the list.
    private static let leastStateLetters = 3

    /// - Parameter now: seconds since 1970, from which ages are counted back.
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
    }

    var isEmpty: Bool { words.isEmpty }

    func takes(_ transfer: TransferSnapshot) -> Bool {
        words.allSatisfy { word in
            switch word {
            case .condition(let term): term.takes(transfer)
            case .letters(let letters): Self.takes(transfer, letters)
            case .unfinished: true
            }
        }
    }

    /// Whether a word begins as a condition does: a field's name and a sign.
    private static func isCondition(_ word: String) -> Bool {
        let name = word.drop { $0 == "!" }.prefix { $0.isASCII && $0.isLetter }
        guard QueueFilter.Term.Field(rawValue: name.lowercased()) != nil,
            let sign = word.drop(while: { $0 == "!" }).dropFirst(name.count).first
        else { return false }
        return ":=<>!".contains(sign)
    }

    private static func takes(_ transfer: TransferSnapshot, _ letters: String) -> Bool {
        let texts = [DisplayName.of(transfer), transfer.url, transfer.error?.message, transfer.reason]
        if texts.contains(where: { $0?.lowercased().contains(letters) == true }) { return true }
        guard letters.count >= leastStateLetters else { return false }
        return [StateText.word(transfer.state), StateText.short(transfer.state).lowercased(), transfer.kind.rawValue]
            .contains { $0.hasPrefix(letters) }
    }
}
