// SPDX-License-Identifier: MIT

package import TransferModel

extension QueueFilter.Term {
    /// The fields of a condition, as users write them.
    package enum Field: String, CaseIterable, Sendable {
        case state, kind, name, file, url, host, error, size, added, ended

        /// Whether it is written with `>` and `<`.
        var isOrdered: Bool { self == .size || self == .added || self == .ended }
    }

    /// Parses one word: `state:failed,paused`, `name:*.iso`, `size>1G`, `added<2d`; a leading `!`, or `!=` for `:`,
    /// negates it.
    /// - Parameter now: seconds since 1970, from which ages count back.
    /// - Throws: code `usage`, with the allowed values.
    package init(parsing word: String, now: Double) throws(TransferError) {
        var text = word[...]
        var isNegated = false
        if text.first == "!" {
            isNegated = true
            text = text.dropFirst()
        }
        let name = text.prefix { $0.isASCII && $0.isLetter }
        guard let field = Field(rawValue: name.lowercased()) else {
            throw TransferError(.filterUnknownField, word, Field.allCases.map(\.rawValue))
        }
        let sign = text.dropFirst(name.count).prefix { ":=<>!".contains($0) }
        let value = String(text.dropFirst(name.count + sign.count))
        if sign == "!=" { isNegated.toggle() }
        guard !value.isEmpty else {
            throw TransferError(.filterNoValue, word)
        }
        let test: Test
        switch (field.isOrdered, sign) {
        case (false, ":"), (false, "="), (false, "!="):
            test = try Self.test(
                field, value.split(separator: ",", omittingEmptySubsequences: false).map(String.init), word)
        case (true, "<"), (true, "<="), (true, ">"), (true, ">="):
            test = try Self.test(field, String(sign), value, word, now)
        case (true, _):
            throw TransferError(
                .filterNotComparison, word, field.rawValue, field == .size ? "'size>1G'" : "'\(field.rawValue)<2d'")
        default:
            throw TransferError(.filterNotList, word, field.rawValue)
        }
        self.init(test, isNegated: isNegated)
    }

    private static func test(_ field: Field, _ values: [String], _ word: String) throws(TransferError) -> Test {
        switch field {
        case .state:
            return .states(
                try each(values) {
                    TransferState(rawValue: $0.lowercased())
                } problem: {
                    TransferError(.filterUnknownState, word, $0, TransferState.allCases.map(\.rawValue))
                })
        case .kind:
            return .kinds(
                try each(values) {
                    TransferKind(rawValue: $0.lowercased())
                } problem: {
                    TransferError(.filterUnknownKind, word, $0)
                })
        case .error:
            return .errors(try each(values, errorCode) { TransferError(.filterUnknownError, word, $0) })
        case .name: return .names(try patterns(values, word))
        case .file: return .files(try patterns(values, word))
        case .url: return .urls(try patterns(values, word))
        case .host, .size, .added, .ended: return .hosts(try patterns(values, word))
        }
    }

    /// Sizes are whole numbers, so that every comparison is a range; ages count back, which reverses their order.
    private static func test(
        _ field: Field, _ sign: String, _ value: String, _ word: String,
        _ now: Double
    ) throws(TransferError) -> Test {
        if field == .size {
            guard let bytes = ByteCount.parse(value).map(Int64.init) else {
                throw TransferError(.filterSize, word)
            }
            return switch sign {
            case "<": .size(-1...max(-1, bytes - 1))
            case "<=": .size(-1...bytes)
            case ">": .size(bytes + 1...Int64.max)
            default: .size(bytes...Int64.max)
            }
        }
        guard let age = age(value) else {
            throw TransferError(.filterAge, word)
        }
        let moment = now - age
        let range =
            sign.hasPrefix("<") ? moment...Double.greatestFiniteMagnitude : -Double.greatestFiniteMagnitude...moment
        return field == .added ? .added(range) : .ended(range)
    }

    private static func each<Value>(
        _ words: [String], _ read: (String) -> Value?,
        problem: (String) -> TransferError
    ) throws(TransferError) -> [Value] {
        var values: [Value] = []
        for word in words {
            guard let value = read(word) else {
                throw problem(word)
            }
            values.append(value)
        }
        return values
    }

    private static func patterns(_ words: [String], _ filter: String) throws(TransferError) -> [GlobPattern] {
        var patterns: [GlobPattern] = []
        for word in words {
            guard let pattern = try? GlobPattern(word) else {
                throw TransferError(.filterPattern, filter, GlobPattern.maximumLength)
            }
            patterns.append(pattern)
        }
        return patterns
    }

    private static func errorCode(_ word: String) -> TransferError.Code? {
        let name = word.lowercased()
        return TransferError.Code.all.first { "\($0.rawValue)" == word || $0.name == name }
    }

    /// Seconds.
    private static func age(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }) else { return nil }
        let digits = text.dropLast()
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let number = Double(digits)
        else { return nil }
        return number * unit
    }
}
