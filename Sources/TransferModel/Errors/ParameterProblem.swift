// SPDX-License-Identifier: MIT

/// What is wrong with a value that a program passes: the value of ``TransferError/Fields/parameter``.
///
/// ``message`` is the sentence of the library; a program may make another one of the value. It holds no value of a
/// parameter, which may be a secret.
package struct ParameterProblem: Sendable, Hashable, Codable {
    /// The member of the control protocol, such as `s3.credentialFile`; `nil` where several are concerned.
    package var name: String?
    package var kind: Kind
    package var minimum: Int64?
    package var maximum: Int64?
    /// The names of which one is needed.
    package var choices: [String]?

    package init(
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

    /// Its meaning is its row in ``Sentences``. The raw value is that of the wire form.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case least, range, aboveZero, seconds, time, path, pathEnd, fileName, fileAndFolder, interface, region
        case partSize, mirrors, pieces, body, certificatePin, bounds, values, oneOf, countedFilters, filters
        case filterBytes, rows, lists, listPart
        /// A kind of a later version.
        case unknown
    }

    /// One line without full stop; `nil` for a kind of a later version.
    package var message: String? {
        let text = Sentences.english.text(["parameter.\(kind.rawValue)"]) { name in
            switch name {
            case "minimum": minimum.map { "\($0)" }
            case "maximum": maximum.map { "\($0)" }
            case "choices": choices?.joined(separator: ", ")
            default: nil
            }
        }
        guard let text else { return nil }
        return name.map { "\($0): \(text)" } ?? text
    }
}

extension ParameterProblem.Kind: Codable {
    package init(from decoder: any Decoder) throws {
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
