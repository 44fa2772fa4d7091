// SPDX-License-Identifier: MIT

import TransferModel

/// The wire form of a condition: an object with one test, named by its field, and `not` for a negation.
///
/// An unknown test is an error and not ignored: a filter with one condition less matches more transfers.
extension QueueFilter.Term: Codable {
    /// Maximum values of one condition; the size of a message bounds the number of conditions.
    static let maximumValues = 1000

    private enum Key: String, CodingKey, CaseIterable {
        case not, ids, state, kind, name, file, url, host, error, size, added, ended
    }

    /// An absent bound is open.
    private struct Range<Bound: Codable & Comparable>: Codable {
        var from: Bound?
        var to: Bound?

        func closed(_ least: Bound, _ most: Bound, _ name: String) throws(TransferError) -> ClosedRange<Bound> {
            let (from, to) = (from ?? least, to ?? most)
            guard from <= to else { throw TransferError(ParameterProblem("terms: \(name)", .bounds)) }
            return from...to
        }
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let fields = Key.allCases.filter { $0 != .not && members.contains($0) }
        guard let field = fields.first, fields.count == 1 else {
            let choices = Key.allCases.filter { $0 != .not }.map(\.rawValue)
            throw TransferError(ParameterProblem("terms", .oneOf, choices: choices))
        }
        func values<Value: Decodable>(_ type: Value.Type) throws -> [Value] {
            let values = try members.decode([Value].self, forKey: field)
            guard (1...Self.maximumValues).contains(values.count) else {
                throw TransferError(
                    ParameterProblem("terms: \(field.rawValue)", .values, upTo: Self.maximumValues))
            }
            return values
        }
        func patterns() throws -> [GlobPattern] { try values(String.self).map { try GlobPattern($0) } }
        func times() throws -> ClosedRange<Double> {
            let most = Double.greatestFiniteMagnitude
            return try members.decode(Range<Double>.self, forKey: field).closed(-most, most, field.rawValue)
        }
        let test: Test =
            switch field {
            case .not, .ids: .ids(try values(Range<Int>.self).map { try $0.closed(1, .max, field.rawValue) })
            case .state: .states(try values(TransferState.self))
            case .kind: .kinds(try values(TransferKind.self))
            case .name: .names(try patterns())
            case .file: .files(try patterns())
            case .url: .urls(try patterns())
            case .host: .hosts(try patterns())
            case .error: .errors(try values(TransferError.Code.self))
            case .size: .size(try members.decode(Range<Int64>.self, forKey: field).closed(.min, .max, field.rawValue))
            case .added: .added(try times())
            case .ended: .ended(try times())
            }
        self.init(test, isNegated: try members.decodeIfPresent(Bool.self, forKey: .not) ?? false)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        if isNegated { try members.encode(true, forKey: .not) }
        func times(_ range: ClosedRange<Double>) -> Range<Double> {
            let most = Double.greatestFiniteMagnitude
            return Range(
                from: range.lowerBound > -most ? range.lowerBound : nil,
                to: range.upperBound < most ? range.upperBound : nil)
        }
        switch test {
        case .ids(let ranges):
            try members.encode(ranges.map { Range(from: $0.lowerBound, to: $0.upperBound) }, forKey: .ids)
        case .states(let states): try members.encode(states, forKey: .state)
        case .kinds(let kinds): try members.encode(kinds, forKey: .kind)
        case .names(let patterns): try members.encode(patterns.map(\.text), forKey: .name)
        case .files(let patterns): try members.encode(patterns.map(\.text), forKey: .file)
        case .urls(let patterns): try members.encode(patterns.map(\.text), forKey: .url)
        case .hosts(let patterns): try members.encode(patterns.map(\.text), forKey: .host)
        case .errors(let codes): try members.encode(codes, forKey: .error)
        case .size(let range):
            try members.encode(
                Range(
                    from: range.lowerBound > .min ? range.lowerBound : nil,
                    to: range.upperBound < .max ? range.upperBound : nil), forKey: .size)
        case .added(let range): try members.encode(times(range), forKey: .added)
        case .ended(let range): try members.encode(times(range), forKey: .ended)
        }
    }
}
