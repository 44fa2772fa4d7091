// SPDX-License-Identifier: MIT

/// What is wrong with a value that a person wrote: the value of ``TransferError/Fields/invalid``.
///
/// ``message`` is the sentence of the library; a program may make another one of the case. No case holds a secret.
public enum InvalidValue: Sendable, Hashable {
    case url(URLProblem)
    case proxy(ProxyProblem)
    case filter(word: String, FilterProblem)
    /// A shell pattern that is empty or longer than this.
    case pattern(maximumBytes: Int)
    case timetable(TimetableProblem)
    case rate(String)
    case headerName
    case headerValue(name: String)
    case cookieName
    case cookieValue(name: String)
    case cookieSize(name: String, maximumBytes: Int)
    /// All cookies of a request together.
    case cookies(bytes: Int, maximumBytes: Int)
    case checksumForm
    case checksumDigits(algorithm: String, count: Int)
    case spec(SpecProblem)
    /// Of a cookie of the library's storage.
    case storedCookie(CookieProblem)
    case fileQ(FileQProblem)
    case s3(S3Problem)
    case document(DocumentProblem)
    /// A name and a port.
    case trustedKey

    public enum URLProblem: Sendable, Hashable {
        case noScheme(String)
        case unknownScheme(String)
        case character
        case openBracket
        case noAddressInBrackets
        case host
        case port
    }

    public enum ProxyProblem: Sendable, Hashable {
        case character
        case unknownScheme(known: [String])
        case credential
        case openBracket
        case host
        case port
    }

    public enum FilterProblem: Sendable, Hashable {
        case unknownField(known: [String])
        case noValue
        /// A field of numbers, which is compared.
        case notComparison(field: String)
        /// A field of words, which is not.
        case notList(field: String)
        case unknownState(String, known: [String])
        case unknownKind(String)
        case unknownError(String)
        case pattern(maximumBytes: Int)
        case size
        case age
    }

    public enum TimetableProblem: Sendable, Hashable {
        case doubleTime(day: String, time: String)
        case entriesOfText
        case entries(count: Int, maximum: Int)
        case noTime(String)
        case time(String)
        case days(String)
        case noRate(String)
        case rate(String)
        case doubleRate(String, direction: String)
        case direction(String)
        /// Of an entry that was not read from a text.
        case noDays
        case hours
        case zeroRate
    }

    /// Of a description of a transfer.
    public enum SpecProblem: Sendable, Hashable {
        /// Neither or both of download and upload.
        case operation
        /// Neither or both of file and folder.
        case destination
        case body(maximumBytes: Int)
        case certificatePin
        case pieceDigits
        /// A method that stores nothing at the server.
        case uploadMethod
        /// Streams end with the process.
        case streamedDownload
        case streamedUpload
    }

    public enum CookieProblem: Sendable, Hashable {
        case character
        case equalsSign
        case blank
        case empty
        case size(maximumBytes: Int)
        case domain
        case path
        case longAttribute(maximumBytes: Int)
        case prefix
    }

    public enum FileQProblem: Sendable, Hashable {
        case checksum(Checksum.Algorithm)
        case metadataName
        case control(Item)
        case double(Item)
        case malformed(Item)
        case size(Item, maximumBytes: Int)
        case encodedSize(Item, maximumBytes: Int)

        public enum Item: Sendable, Hashable {
            case cookie(name: String)
            case metadata(name: String)
        }
    }

    public enum S3Problem: Sendable, Hashable {
        case noObject(String)
        case bucket(String)
        case objectName
    }

    var code: TransferError.Code {
        switch self {
        case .url, .s3, .document(.address), .document(.line(_, .address)): .malformedURL
        case .document(.noMemory): .other
        default: .usage
        }
    }
}

extension TransferError {
    /// Code `malformedURL` for a URL, in a document too, `usage` for most other values.
    package init(_ invalid: InvalidValue) {
        self.init(invalid.code, invalid.message, fields: Fields(variant: invalid.variant))
        fields.invalid = invalid
    }
}
