// SPDX-License-Identifier: MIT

/// An argument, or an option with its value, on a command line, as ArgumentParser reads it.
struct CommandWord: Equatable {
    enum Kind: Equatable {
        case argument
        case option(CommandInventory.Argument)
        case unknownOption
    }

    let kind: Kind
    /// Of the word that has ``value``.
    let index: Int
    /// Of that word, what stands before ``value``: `--url=`, `-j`.
    var lead = ""
    /// Of an argument or option; `nil` for a flag, and for an option that ends the line.
    var value: String?

    var option: CommandInventory.Argument? {
        if case .option(let option) = kind { option } else { nil }
    }

    /// - Parameters:
    ///   - words: behind the command.
    ///   - options: those that it has.
    static func parse(_ words: ArraySlice<String>, options: [CommandInventory.Argument]) -> [CommandWord] {
        var byName: [String: CommandInventory.Argument] = [:]
        for option in options where option.kind != .positional {
            for name in option.names ?? [] { byName[(name.kind == .long ? "--" : "-") + name.name] = option }
        }
        var found: [CommandWord] = []
        var index = words.startIndex
        var hasEnded = false
        func take(_ option: CommandInventory.Argument, _ word: String, valueFrom start: String.Index?) {
            guard option.kind == .option else {
                found.append(CommandWord(kind: .option(option), index: index))
                return
            }
            if let start {
                let (lead, value) = (String(word[..<start]), String(word[start...]))
                found.append(CommandWord(kind: .option(option), index: index, lead: lead, value: value))
            } else {
                index += 1
                let value = index < words.endIndex ? words[index] : nil
                found.append(CommandWord(kind: .option(option), index: index, value: value))
            }
        }
        while index < words.endIndex {
            let word = words[index]
            if hasEnded || !word.hasPrefix("-") || word == "-" {
                found.append(CommandWord(kind: .argument, index: index, value: word))
            } else if word == "--" {
                hasEnded = true
            } else if let option = byName[String(word.prefix { $0 != "=" })] {
                take(option, word, valueFrom: word.firstIndex(of: "=").map { word.index(after: $0) })
            } else if word.hasPrefix("--") {
                found.append(CommandWord(kind: .unknownOption, index: index, value: word))
            } else {
                // `-qj 4` and `-qj4`: the first option with a value takes the rest, or the next argument.
                for place in word.indices.dropFirst() {
                    guard let option = byName["-\(word[place])"] else {
                        found.append(CommandWord(kind: .unknownOption, index: index, value: word))
                        break
                    }
                    let next = word.index(after: place)
                    take(option, word, valueFrom: next == word.endIndex ? nil : next)
                    if option.kind == .option { break }
                }
            }
            index += 1
        }
        return found
    }
}
