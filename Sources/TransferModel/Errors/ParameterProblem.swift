// SPDX-License-Identifier: MIT

/// What is wrong with a value that a program passes: the value of ``TransferError/Fields/parameter``.
///
/// ``message`` is the sentence of the library; a program may make another one of the value. It holds no value of a
/// parameter, which may be a secret.
public struct ParameterProblem: Sendable, Hashable, Codable {
    /// The member of the control protocol, such as `s3.credentialFile`; `nil` where several are concerned.
    public var name: String?
    public var kind: Kind
    public var minimum: Int64?
    public var maximum: Int64?
    /// The names of which one is needed.
    public var choices: [String]?

    public init(
        _ name: String?, _ kind: Kind, minimum: Int64? = nil, maximum: Int64? = nil, choices: [String]? = nil
    ) {
        self.name = name
        self.kind = kind
        self.minimum = minimum
        self.maximum = maximum
        self.choices = choices
    }

    package init(_ name: String?, _ kind: Kind, upTo maximum: Int) {
        self.init(name, kind, maximum: Int64(maximum))
    }

    package init(_ name: String?, _ kind: Kind, from minimum: Int = 0, to maximum: Int) {
        self.init(name, kind, minimum: Int64(minimum), maximum: Int64(maximum))
    }

    /// The raw value is that of the wire form.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case least
        case range
        case aboveZero
        /// A time span.
        case seconds
        /// A point in time.
        case time
        case path
        /// A path without a name at its end.
        case pathEnd
        case fileName
        case fileAndFolder
        case interface
        case region
        /// In bytes.
        case partSize
        /// ``maximum`` is the number of mirrors, ``minimum`` the highest priority.
        case mirrors
        case pieces
        /// In bytes.
        case body
        case certificatePin
        /// The bounds of a range are in the wrong order.
        case bounds
        /// How many values.
        case values
        /// Exactly one of ``choices``.
        case oneOf
        /// How many are counted.
        case countedFilters
        /// How many a list has.
        case filters
        case filterBytes
        case rows
        /// The lists of a connection together, in bytes.
        case lists
        /// A part before one of the list with number ``minimum`` is missing.
        case listPart
        /// A kind of a later version.
        case unknown
    }

    /// One line without full stop; `nil` for a kind of a later version.
    public var message: String? {
        guard let text else { return nil }
        return name.map { "\($0): \(text)" } ?? text
    }

    private var text: String? {
        let (minimum, maximum) = (minimum ?? 0, maximum ?? 0)
        return switch kind {
        case .least: "must be at least \(minimum)"
        case .range: "must be from \(minimum) to \(maximum)"
        case .aboveZero: "must be above 0"
        case .seconds: "seconds must be above 0"
        case .time: "must be seconds since 1970"
        case .path: "the background service needs a path that begins with '/'"
        case .pathEnd: "the path must end in a name"
        case .fileName: "a download into a folder needs a file name without '/'"
        case .fileAndFolder: "a download goes either to a file or into a folder"
        case .interface: "the name is empty, or holds a blank or a control character"
        case .region: "the region is no name of one"
        case .partSize: "a part has from \(minimum >> 20) MiB to \(maximum >> 30) GiB"
        case .mirrors: "at most \(maximum), with priorities from 1 to \(minimum)"
        case .pieces: "there must be one digest for each part of the file"
        case .body: "write at most \(maximum) bytes in hexadecimal digits"
        case .certificatePin: "the SHA-256 of a certificate has 64 hexadecimal digits"
        case .bounds: "'from' is above 'to'"
        case .values: "from 1 to \(maximum) values"
        case .oneOf: "each has exactly one of \((choices ?? []).joined(separator: ", "))"
        case .countedFilters: "at most \(maximum) filters are counted"
        case .filters: "a list has at most \(maximum) filters"
        case .filterBytes: "the filters have at most \(maximum) bytes together"
        case .rows: "before and after have at most \(maximum) rows together, after at least 1"
        case .lists: "the lists of this connection exceed \(maximum) bytes; add them in smaller ones"
        case .listPart: "list \(minimum): a part before this one is missing; none of the list was added"
        case .unknown: nil
        }
    }
}

extension ParameterProblem.Kind: Codable {
    public init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
}

extension TransferError {
    /// Code `usage`.
    package init(_ parameter: ParameterProblem) {
        self.init(.usage, parameter.message ?? "")
        fields.parameter = parameter
    }
}
