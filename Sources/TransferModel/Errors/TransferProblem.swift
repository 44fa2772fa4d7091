// SPDX-License-Identifier: MIT

/// A failure as data: a name, and its values in the order of its row in ``Sentences``. It is the value
/// of ``TransferError/Fields/problem`` and ``TransferError/Fields/local``, and its own stored and wire form.
///
/// It holds no secret, and each text is one line.
package struct TransferProblem: Sendable, Hashable, Codable {
    /// The raw value of a ``Kind`` or ``LocalKind``, or a name of another version.
    package var name: String
    package var numbers: [Int64]?
    package var texts: [String]?
    package var seconds: Double?

    package var kind: Kind? { Kind(rawValue: name) }
    package var localKind: LocalKind? { LocalKind(rawValue: name) }

    package init(_ kind: Kind, _ values: any ProblemValue...) { self.init(name: kind.rawValue, values) }
    package init(_ kind: LocalKind, _ values: any ProblemValue...) { self.init(name: kind.rawValue, values) }

    /// - Parameter values: `nil` at the end is left out.
    package init(name: String, _ values: [any ProblemValue]) {
        self.name = name
        for value in values { value.add(to: &self) }
        assert(Sentences.english.fits(self), "\(self) does not fit its row")
    }

    init(name: String, numbers: [Int64], texts: [String]) {
        self.name = name
        (self.numbers, self.texts) = (numbers, texts)
    }

    /// A problem within another one: `url` and `noScheme` make ``LocalKind/urlNoScheme``.
    package static func name(_ group: String, _ member: String) -> String {
        group + member.prefix(1).uppercased() + member.dropFirst()
    }

    /// Its name in this group, such as `noScheme` in `url`; `nil` for those of others.
    package func member(of group: String) -> String? {
        guard name.hasPrefix(group), let first = name.dropFirst(group.count).first, first.isUppercase else {
            return nil
        }
        return first.lowercased() + name.dropFirst(group.count + 1)
    }

    /// The keys under which ``Sentences`` may have its row, in order: one for its first text alone, and one for all.
    var keys: [String] { (texts?.first.map { ["\(name).\($0)"] } ?? []) + [name] }
}

/// A value that a ``TransferProblem`` can hold.
package protocol ProblemValue {
    func add(to problem: inout TransferProblem)
}

extension ProblemValue where Self: BinaryInteger {
    package func add(to problem: inout TransferProblem) {
        problem.numbers = (problem.numbers ?? []) + [Int64(clamping: self)]
    }
}

extension ProblemValue where Self: RawRepresentable, RawValue == String {
    package func add(to problem: inout TransferProblem) { rawValue.add(to: &problem) }
}

extension Int: ProblemValue {}
extension Int32: ProblemValue {}
extension Int64: ProblemValue {}

extension Bool: ProblemValue {
    package func add(to problem: inout TransferProblem) { (self ? 1 : 0).add(to: &problem) }
}

extension Double: ProblemValue {
    package func add(to problem: inout TransferProblem) { problem.seconds = self }
}

extension String: ProblemValue {
    package func add(to problem: inout TransferProblem) { problem.texts = (problem.texts ?? []) + [self] }
}

extension Array: ProblemValue where Element: ProblemValue {
    package func add(to problem: inout TransferProblem) { forEach { $0.add(to: &problem) } }
}

extension Optional: ProblemValue where Wrapped: ProblemValue {
    package func add(to problem: inout TransferProblem) { self?.add(to: &problem) }
}

extension CertificateProblem: ProblemValue {}
extension Checksum.Algorithm: ProblemValue {}
extension ProxyFailure: ProblemValue {}
extension TransferProblem.Ability: ProblemValue {}
extension TransferProblem.NoLoading: ProblemValue {}
extension TransferProblem.Outcome: ProblemValue {}

/// A problem within another one: the name of its member, and its values.
package struct NestedProblem: ProblemValue {
    let member: String
    let problem: TransferProblem

    package init?(_ problem: TransferProblem?, of group: String) {
        guard let problem, let member = problem.member(of: group) else { return nil }
        (self.member, self.problem) = (member, problem)
    }

    package func add(to outer: inout TransferProblem) {
        member.add(to: &outer)
        problem.texts.add(to: &outer)
        problem.numbers.add(to: &outer)
    }
}
