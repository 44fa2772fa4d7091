// SPDX-License-Identifier: MIT

/// Why an XML document, such as a Metalink document, cannot be read.
public enum DocumentProblem: Sendable, Hashable {
    /// In the words of the parser.
    case notXML(String)
    case documentType
    case depth(maximum: Int)
    case noMemory
    case size(maximumBytes: Int)
    case notMetalink
    case noFile
    /// No file can be used: what was left out first.
    case noUsableFile(String)
    case files(maximum: Int)
    case fileSize
    case digest(Checksum.Algorithm)
    /// Two values of one thing, such as `sha256`, differ.
    case contradiction(String)
    case pieceLength
    case pieces(maximum: Int, digestBytes: Int)
    /// A page of S3's with more parts than one has.
    case parts
    case address(InvalidValue.URLProblem)
    indirect case line(Int, DocumentProblem)

    /// One line, in lower case and without full stop.
    public var message: String {
        switch self {
        case .notXML(let text): text
        case .documentType: "it declares a document type"
        case .depth(let maximum): "more than \(maximum) elements in one another"
        case .noMemory: "no memory for an XML parser"
        case .size(let maximum): "larger than \(maximum >> 20) MiB"
        case .notMetalink: "this is not a Metalink 4 document (RFC 5854)"
        case .noFile: "it describes no file"
        case .noUsableFile(let note): note
        case .files(let maximum): "it describes more than \(maximum) files"
        case .fileSize: "'size' is no number of bytes"
        case .digest(let algorithm): "a 'hash' of type \(algorithm.rawValue) has \(algorithm.byteCount * 2) digits"
        case .contradiction(let name): "a file has two values of '\(name)' that differ: one of them is wrong"
        case .pieceLength: "'pieces' has no length above 0"
        case .pieces(let maximum, let bytes):
            "pieces: at most \(maximum) digests of \(bytes) bytes, for parts of a length"
        case .parts: "more parts than a page has"
        case .address(let problem): InvalidValue.url(problem).message
        case .line(let line, let problem): "line \(line): \(problem.message)"
        }
    }
}

extension TransferError {
    /// The same, found in this line of a document.
    package func located(inLine line: Int) -> TransferError {
        switch fields.invalid {
        case .document(let problem): TransferError(.document(.line(line, problem)))
        case .url(let problem): TransferError(.document(.line(line, .address(problem))))
        default: TransferError(code, "line \(line): \(message)")
        }
    }
}

// MARK: The stored and wire form

extension DocumentProblem {
    /// As parts of the form of the problem that it belongs to: line or 0, and numbers; name and texts.
    var formParts: (numbers: [Int64?], texts: [String?]) {
        switch self {
        case .notXML(let text): ([0], ["notXML", text])
        case .documentType: ([0], ["documentType"])
        case .depth(let maximum): ([0, Int64(maximum)], ["depth"])
        case .noMemory: ([0], ["noMemory"])
        case .size(let maximum): ([0, Int64(maximum)], ["size"])
        case .notMetalink: ([0], ["notMetalink"])
        case .noFile: ([0], ["noFile"])
        case .noUsableFile(let note): ([0], ["noUsableFile", note])
        case .files(let maximum): ([0, Int64(maximum)], ["files"])
        case .fileSize: ([0], ["fileSize"])
        case .digest(let algorithm): ([0], ["digest", algorithm.rawValue])
        case .contradiction(let name): ([0], ["contradiction", name])
        case .pieceLength: ([0], ["pieceLength"])
        case .pieces(let maximum, let bytes): ([0, Int64(maximum), Int64(bytes)], ["pieces"])
        case .parts: ([0], ["parts"])
        case .address(let problem): ([0], ["address", problem.name, problem.text])
        case .line(let line, let problem):
            ([Optional(Int64(line))] + Array(problem.formParts.numbers.dropFirst()), problem.formParts.texts)
        }
    }

    init?(_ form: ProblemForm) {
        guard let problem = Self.problem(form) else { return nil }
        self = form.number() == 0 ? problem : .line(form.integer(), problem)
    }

    private static func problem(_ form: ProblemForm) -> DocumentProblem? {
        switch form.text() {
        case "notXML": .notXML(form.text(1))
        case "documentType": .documentType
        case "depth": .depth(maximum: form.integer(1))
        case "noMemory": .noMemory
        case "size": .size(maximumBytes: form.integer(1))
        case "notMetalink": .notMetalink
        case "noFile": .noFile
        case "noUsableFile": .noUsableFile(form.text(1))
        case "files": .files(maximum: form.integer(1))
        case "fileSize": .fileSize
        case "digest": Checksum.Algorithm(rawValue: form.text(1)).map(DocumentProblem.digest)
        case "contradiction": .contradiction(form.text(1))
        case "pieceLength": .pieceLength
        case "pieces": .pieces(maximum: form.integer(1), digestBytes: form.integer(2))
        case "parts": .parts
        case "address": InvalidValue.URLProblem(name: form.text(1), text: form.text(2)).map(DocumentProblem.address)
        default: nil
        }
    }
}
