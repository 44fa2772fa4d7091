// SPDX-License-Identifier: MIT

/// The stored and wire form of a ``TransferProblem``: the name of its case, and what the case holds, in order. Names
/// are those of all groups together, and never change.
struct ProblemForm: Sendable, Hashable, Codable {
    var name: String
    var numbers: [Int64]?
    var texts: [String]?
    var seconds: Double?

    /// - Parameters:
    ///   - numbers: `nil` at the end is left out.
    ///   - texts: the same.
    init(_ name: String, _ numbers: [Int64?] = [], texts: [String?] = [], seconds: Double? = nil) {
        self.name = name
        let numbers = numbers.compactMap(\.self)
        let texts = texts.compactMap(\.self)
        self.numbers = numbers.isEmpty ? nil : numbers
        self.texts = texts.isEmpty ? nil : texts
        self.seconds = seconds
    }

    func optionalNumber(_ index: Int) -> Int64? {
        guard let numbers, numbers.indices.contains(index) else { return nil }
        return numbers[index]
    }

    func optionalText(_ index: Int) -> String? {
        guard let texts, texts.indices.contains(index) else { return nil }
        return texts[index]
    }

    /// 0 if there is none, as in the form of another version.
    func number(_ index: Int = 0) -> Int64 { optionalNumber(index) ?? 0 }
    func text(_ index: Int = 0) -> String { optionalText(index) ?? "" }
    func integer(_ index: Int = 0) -> Int { Int(clamping: number(index)) }
    func optionalInteger(_ index: Int) -> Int? { optionalNumber(index).map { Int(clamping: $0) } }
    func isTrue(_ index: Int = 0) -> Bool { number(index) != 0 }
}

extension TransferProblem: Codable {
    public init(from decoder: any Decoder) throws {
        let form = try ProblemForm(from: decoder)
        if let problem = ConnectionProblem(form) {
            self = .connection(problem)
        } else if let problem = DownloadProblem(form) {
            self = .download(problem)
        } else if let problem = UploadProblem(form) {
            self = .upload(problem)
        } else {
            self = .unknown(name: form.name)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        let form =
            switch self {
            case .connection(let problem): problem.form
            case .download(let problem): problem.form
            case .upload(let problem): problem.form
            case .unknown(let name): ProblemForm(name)
            }
        try form.encode(to: encoder)
    }
}
