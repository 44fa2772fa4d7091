// SPDX-License-Identifier: MIT

extension InvalidValue {
    /// One line, in lower case and without full stop.
    public var message: String {
        switch self {
        case .url(let problem): problem.message
        case .proxy(let problem): problem.message
        case .filter(let word, let problem): "filter '\(word)': \(problem.message)"
        case .pattern(let maximum): "a pattern has from 1 to \(maximum) bytes"
        case .timetable(let problem): "timetable: \(problem.message)"
        case .rate(let text): "rate '\(text)': write bytes a second such as 500k, 2M or 1.5G"
        case .headerName: "a header's name is empty or holds a character that no name may hold"
        case .headerValue(let name): "header \(name): the value holds a control character"
        case .cookieName: "cookie name is empty or holds a character no cookie name may hold"
        case .cookieValue(let name):
            "cookie \(name): the value holds a control character, ';' or a character outside ASCII; percent-encode it"
        case .cookieSize(let name, let maximum): "cookie \(name): larger than \(maximum) bytes"
        case .cookies(let bytes, let maximum):
            "the cookies together hold \(bytes) bytes; at most \(maximum) may be sent"
        case .checksumForm: "checksum must be sha256:HEX or sha512:HEX (sha1 and md5 only detect damage)"
        case .checksumDigits(let algorithm, let count):
            "checksum: \(Checksum.Algorithm.name(of: algorithm)) has \(count) hexadecimal digits"
        case .spec(let problem): problem.message
        case .storedCookie(let problem): "cookie: \(problem.message)"
        case .fileQ(let problem): problem.message
        case .s3(let problem): problem.message
        case .document(let problem): problem.message
        case .trustedKey: "a trusted key needs the name of a host and a port from 1 to 65535"
        }
    }
}

extension InvalidValue.URLProblem {
    /// `example.org/x`, not `./x` nor `a.txt`.
    private static func beginsWithHost(_ text: String) -> Bool {
        let host = text.prefix { $0 != "/" }
        return host != text && host.contains(".") && host.first != "."
    }

    fileprivate var message: String {
        switch self {
        case .noScheme(let text):
            "'\(text)' is no URL: it must begin with http:// or https://"
                + (Self.beginsWithHost(text) ? "; did you mean 'https://\(text)'?" : "")
        case .unknownScheme(let scheme): "unknown scheme '\(scheme)': http and https are supported"
        case .character: "the URL holds a control character or a backslash"
        case .openBracket: "the URL's IPv6 address has no closing bracket"
        case .noAddressInBrackets: "what the URL has in brackets is no IPv6 address"
        case .host: "the URL names no valid host"
        case .port: "the URL's port is not a number from 1 to 65535"
        }
    }
}

extension InvalidValue.ProxyProblem {
    fileprivate var message: String {
        switch self {
        case .character: "a proxy's address holds a blank or a control character"
        case .unknownScheme(let known): "unknown kind of proxy: it must be one of \(known.joined(separator: ", "))"
        case .credential: "a proxy's user or password is not percent-encoded UTF-8"
        case .openBracket: "a proxy's IPv6 address has no closing bracket"
        case .host: "a proxy's address names no valid host"
        case .port: "a proxy's port is not a number from 1 to 65535"
        }
    }
}

extension InvalidValue.FilterProblem {
    fileprivate var message: String {
        switch self {
        case .unknownField(let known):
            "write one of \(known.joined(separator: ", ")) and a value, such as state:failed or 'size>1G'"
        case .noValue: "it has no value"
        case .notComparison(let field):
            "\(field) is compared with <, <=, > or >=, as in " + (field == "size" ? "'size>1G'" : "'\(field)<2d'")
        case .notList(let field): "write \(field):VALUE, or \(field)!=VALUE for all others"
        case .unknownState(let text, let known): "'\(text)' is not a state: \(known.joined(separator: ", "))"
        case .unknownKind(let text): "'\(text)' is not download or upload"
        case .unknownError(let text):
            "'\(text)' is not the number or the name of an error, such as 22 or http-status"
        case .pattern(let maximum): "a pattern has from 1 to \(maximum) bytes"
        case .size: "write a size such as 500k, 10M or 1.5G"
        case .age: "write an age such as 30s, 10m, 12h, 2d or 1w"
        }
    }
}

extension InvalidValue.TimetableProblem {
    fileprivate var message: String {
        switch self {
        case .doubleTime(let day, let time): Self.example("two entries begin on \(day) at \(time)")
        case .entriesOfText: Self.example("it has too many entries")
        case .entries(let count, let maximum): "has \(count) entries, and at most \(maximum) are taken"
        case .noTime(let text): Self.example("'\(text)' has no time")
        case .time(let text): Self.example("'\(text)' is no time from 00:00 to 23:59")
        case .days(let text):
            Self.example("'\(text)' are no days; they are mon, tue, wed, thu, fri, sat, sun")
        case .noRate(let text): Self.example("'\(text)' says no rate")
        case .rate(let text): Self.example("'\(text)' is no rate")
        case .doubleRate(let text, let direction): Self.example("'\(text)' says '\(direction)' twice")
        case .direction(let text): Self.example("'\(text)' is neither of down and up")
        case .noDays: "an entry names no day"
        case .hours: "an entry begins or ends at an hour that no day has"
        case .zeroRate: "rates must be above 0"
        }
    }

    private static func example(_ problem: String) -> String {
        "\(problem); write entries such as 'mon-fri 08:00 down=512k up=100k; 23:00 off'"
    }
}
