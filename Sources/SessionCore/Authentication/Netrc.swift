// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import TransferModel

/// `~/.netrc`: the credentials of hosts (netrc(5)). Ignores macro definitions and accounts.
package struct Netrc: Sendable {
    private struct Entry: Sendable {
        /// `nil`: `default`.
        var machine: String?
        var login: String?
        var password: String?
    }

    private var entries: [Entry] = []

    package init(text: String) {
        var words = Self.words(text)[...]
        while let word = words.popFirst() {
            switch word {
            case "machine": entries.append(Entry(machine: words.popFirst()?.lowercased()))
            case "default": entries.append(Entry())
            case "login": update { $0.login = words.popFirst() }
            case "password": update { $0.password = words.popFirst() }
            case "account": _ = words.popFirst()
            default: break
            }
        }
    }

    /// The password of the first entry for `host` with this user or without a user.
    package func password(host: String, user: String) -> String? {
        entries.first { ($0.machine == nil || $0.machine == host) && ($0.login == nil || $0.login == user) }?.password
    }

    /// The credential of the first entry for `host` that has one.
    package func credential(host: String) -> Credential? {
        for entry in entries where entry.machine == nil || entry.machine == host {
            if let user = entry.login, let password = entry.password {
                return Credential(user: user, password: password)
            }
        }
        return nil
    }

    /// The credential of ``standard(_:)``; `nil` also if the file's folder does not respond within some seconds.
    static func entry(for host: String, in path: String?) -> Credential? {
        PromptRead.value(of: path ?? "netrc") { standard(path) }?.flatMap { $0.credential(host: host) }
    }

    /// Reads `path`, else `$NETRC`, else `~/.netrc`; blocks.
    /// - Returns: `nil` if the file does not exist, is not regular or is larger than 1 MiB.
    static func standard(_ path: String?) -> Netrc? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let path = path ?? variable("NETRC") ?? variable("HOME").map({ "\($0)/.netrc" }) else { return nil }
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK), let status = try? file.status(),
            status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20,
            let bytes = try? file.read(Int(status.st_size))
        else { return nil }
        return Netrc(text: String(decoding: bytes, as: UTF8.self))
    }

    private mutating func update(_ change: (inout Entry) -> Void) {
        guard !entries.isEmpty else { return }
        change(&entries[entries.count - 1])
    }

    /// Tokens separated by white space, `"…"` with backslash escapes as one token, without comments and macro
    /// definitions.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var isInMacro = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if isInMacro {
                isInMacro = !line.isEmpty
                continue
            }
            var rest = line[...]
            while true {
                rest = rest.drop { $0 == " " || $0 == "\t" }
                guard let first = rest.first, first != "#" || words.last == "password" else { break }
                if first == "\"" {
                    words.append(quoted(&rest))
                } else {
                    let word = rest.prefix { $0 != " " && $0 != "\t" }
                    rest = rest[word.endIndex...]
                    if word == "macdef" {
                        isInMacro = true
                        break
                    }
                    words.append(String(word))
                }
            }
        }
        return words
    }

    private static func quoted(_ rest: inout Substring) -> String {
        var word = ""
        rest.removeFirst()
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let escaped = rest.popFirst() { word.append(escaped) } else { word.append(character) }
        }
        return word
    }
}
