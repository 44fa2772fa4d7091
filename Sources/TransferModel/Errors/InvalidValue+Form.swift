// SPDX-License-Identifier: MIT

// The stored and wire form of values within a ``TransferProblem``: a name, and texts. Names never change.

extension InvalidValue.URLProblem {
    var name: String {
        switch self {
        case .noScheme: "noScheme"
        case .unknownScheme: "unknownScheme"
        case .character: "character"
        case .openBracket: "openBracket"
        case .noAddressInBrackets: "noAddressInBrackets"
        case .host: "host"
        case .port: "port"
        }
    }

    var text: String? {
        switch self {
        case .noScheme(let text), .unknownScheme(let text): text
        case .character, .openBracket, .noAddressInBrackets, .host, .port: nil
        }
    }

    init?(name: String, text: String) {
        switch name {
        case "noScheme": self = .noScheme(text)
        case "unknownScheme": self = .unknownScheme(text)
        case "character": self = .character
        case "openBracket": self = .openBracket
        case "noAddressInBrackets": self = .noAddressInBrackets
        case "host": self = .host
        case "port": self = .port
        default: return nil
        }
    }
}

extension InvalidValue.ProxyProblem {
    var name: String {
        switch self {
        case .character: "character"
        case .unknownScheme: "unknownScheme"
        case .credential: "credential"
        case .openBracket: "openBracket"
        case .host: "host"
        case .port: "port"
        }
    }

    /// Name and texts, after another text.
    func texts(after first: String) -> [String?] {
        var texts: [String?] = [first, name]
        if case .unknownScheme(let known) = self { texts += known.map { Optional($0) } }
        return texts
    }

    init?(name: String, texts: [String]) {
        switch name {
        case "character": self = .character
        case "unknownScheme": self = .unknownScheme(known: texts)
        case "credential": self = .credential
        case "openBracket": self = .openBracket
        case "host": self = .host
        case "port": self = .port
        default: return nil
        }
    }
}
