// SPDX-License-Identifier: MIT

/// The sentences of failures: a table by key. A second language is a second table.
///
/// A row is `key names = sentence`. The names stand for the values of a ``TransferProblem`` in their order: `name` is a
/// number, `$name` a text, `$name*` all texts that remain; `?` at the end marks one that may be missing. A row `key.x`
/// is taken before `key` where `x` is the first text, the HTTP status or the cause. In a sentence
/// - `{name}` is a value of the row, or of the error, such as `{host}`, or else another row; 0 or empty if absent;
/// - `{name?}` is empty, and counts as absent if the value is 0 or empty;
/// - `{name:form}` is the value in another form, such as `MiB`;
/// - `[a|b]` is the first alternative whose values are all present;
/// - `{>group}` is the sentence of the problem of this group that the remaining texts name;
/// - `@` at the beginning is the server, if it is known.
package struct Sentences: Sendable {
    private struct Row: Sendable {
        /// `key names`
        let head: Substring
        let sentence: Substring
        var names: [Substring] { Array(head.split(separator: " ").dropFirst()) }
    }

    private let rows: [Substring: Row]

    package init(_ tables: String...) {
        rows = tables.reduce(into: [:]) { rows, table in
            // By bytes: the first failure of a process waits for this.
            for line in table.utf8.split(separator: UInt8(ascii: "\n")) {
                guard let mark = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let head = Substring(line[..<mark].dropLast())
                let key = Substring(head.utf8.prefix { $0 != UInt8(ascii: " ") })
                assert(rows[key] == nil, "\(key) has two rows")
                rows[key] = Row(head: head, sentence: Substring(line[mark...].dropFirst(2)))
            }
        }
    }

    package var keys: Set<String> { Set(rows.keys.map(String.init)) }

    /// - Parameters:
    ///   - keys: the first one that has a row counts.
    ///   - place: stands for `@`.
    ///   - value: of a name that is none of the row's.
    /// - Returns: `nil` if no key has a row, or a problem within the problem has none.
    package func text(
        _ keys: [String], _ problem: TransferProblem? = nil, place: String = "", value: @escaping (Substring) -> String?
    ) -> String? {
        guard let row = keys.lazy.compactMap({ rows[$0[...]] }).first else { return nil }
        let isPlaced = row.sentence.first == "@"
        let scope = Scope(row.names, problem, value: { value($0) ?? rows[$0].map { String($0.sentence) } }) {
            text($0.keys, $0, value: value)
        }
        guard let sentence = scope.filled(row.sentence.dropFirst(isPlaced ? 1 : 0)) else { return nil }
        return isPlaced ? (scope.filled(place[...]) ?? "") + sentence : sentence
    }

    /// Whether a problem has the values that its row names.
    func fits(_ problem: TransferProblem) -> Bool {
        let all = rows.filter { $0.key == problem.name || $0.key.hasPrefix(problem.name + ".") }.values
        guard let names = all.map(\.names).max(by: { $0.count < $1.count }) else { return false }
        let (texts, numbers) = (names.filter { $0.first == "$" }, names.filter { $0.first != "$" })
        let takesMore = names.last?.last == "*"
        func fits(_ count: Int, _ names: [Substring]) -> Bool {
            count >= names.count { $0.last != "?" && $0.last != "*" } && (takesMore || count <= names.count)
        }
        let hasSeconds = !names.contains("seconds") && all.contains { $0.sentence.contains("{seconds}") }
        return fits(problem.numbers?.count ?? 0, numbers) && fits(problem.texts?.count ?? 0, texts)
            && hasSeconds == (problem.seconds != nil)
    }
}

/// The values of one sentence.
private struct Scope {
    private var values: [Substring: String] = [:]
    private var numbers: Set<Substring> = ["status", "bytes", "position", "version", "minimum", "maximum"]
    /// Values that the row does not name.
    private var rest: (texts: [String], numbers: [Int64])
    private let outer: (Substring) -> String?
    private let inner: (TransferProblem) -> String?

    init(
        _ names: [Substring], _ problem: TransferProblem?, value: @escaping (Substring) -> String?,
        inner: @escaping (TransferProblem) -> String?
    ) {
        (outer, self.inner) = (value, inner)
        var (texts, integers) = ((problem?.texts ?? [])[...], (problem?.numbers ?? [])[...])
        for marked in names {
            let name = marked.last == "?" || marked.last == "*" ? marked.dropLast() : marked
            if marked.last == "*" {
                values[name.dropFirst()] = texts.joined(separator: ", ")
            } else if marked.first == "$" {
                values[name.dropFirst()] = texts.popFirst()
            } else {
                numbers.insert(name)
                values[name] = integers.popFirst().map { "\($0)" }
            }
        }
        rest = (Array(texts), Array(integers))
    }

    /// An absent value is 0 or empty.
    /// - Returns: `nil` without the sentence of a problem within this one, such as one of a later version.
    func filled(_ text: Substring) -> String? {
        fill(text) { $0.first == ">" ? nil : numbers.contains($0) ? "0" : "" }
    }

    /// - Returns: `nil` if a value and what stands for it is absent.
    private func fill(_ text: Substring, absent: (Substring) -> String?) -> String? {
        var (line, rest) = ("", text)
        while let mark = rest.firstIndex(where: { $0 == "{" || $0 == "[" }) {
            line += rest[..<mark]
            let isValue = rest[mark] == "{"
            guard let end = rest[mark...].firstIndex(of: isValue ? "}" : "]") else { break }
            let part = rest[mark..<end].dropFirst()
            if isValue {
                guard let value = value(part) ?? absent(part.prefix { $0 != ":" }) else { return nil }
                line += value
            } else {
                let alternatives = part.split(separator: "|", omittingEmptySubsequences: false)
                line += alternatives.lazy.compactMap { fill($0, absent: { _ in nil }) }.first ?? ""
            }
            rest = rest[end...].dropFirst()
        }
        return line + rest
    }

    private func value(_ part: Substring) -> String? {
        if part.first == ">" {
            guard let member = rest.texts.first else { return nil }
            return inner(
                TransferProblem(
                    name: TransferProblem.name(String(part.dropFirst()), member), numbers: rest.numbers,
                    texts: Array(rest.texts.dropFirst())))
        }
        let parts = part.split(separator: ":")
        let name = parts[0].last == "?" ? parts[0].dropLast() : parts[0]
        guard let value = values[name] ?? outer(name) else { return nil }
        if parts[0].last == "?" { return value.isEmpty || value == "0" ? nil : "" }
        return parts.count < 2 ? value : form(parts[1], value)
    }

    private func form(_ form: Substring, _ value: String) -> String? {
        switch form {
        case "MiB": Int64(value).map { "\($0 >> 20)" }
        case "GiB": Int64(value).map { "\($0 >> 30)" }
        case "error": Int32(value).map { TransferError.phrase(errno: $0) }
        case "line": TextLine.first(of: value)
        case "digest": Checksum.Algorithm.name(of: value)
        case "digits": Checksum.Algorithm(rawValue: value).map { "\($0.byteCount * 2)" }
        case "address": Self.beginsWithHost(value) ? value : nil
        default: nil
        }
    }

    /// `example.org/x`, not `./x` nor `a.txt`.
    private static func beginsWithHost(_ text: String) -> Bool {
        let host = text.prefix { $0 != "/" }
        return host != text && host.contains(".") && host.first != "."
    }
}
