// SPDX-License-Identifier: MIT

import TransferModel

/// Another machine with a queue, as the user names it for ssh(1).
package struct RemoteMachine: Sendable, Hashable {
    /// An address, or a name of `~/.ssh/config`.
    package var host: String
    /// `nil`: as ssh decides.
    package var user: String?
    /// `nil`: as ssh decides.
    package var port: Int?

    /// Reads `ssh://[user@]machine[:port]` or `[user@]machine`; `nil` for anything else.
    ///
    /// Names reach the command line of ssh, so they have no characters of a shell and do not begin as an option does.
    package init?(_ text: String) {
        var rest = text[...]
        let scheme = "ssh://"
        let isURL = rest.hasPrefix(scheme)
        if isURL { rest = rest.dropFirst(scheme.count) }
        if isURL, rest.endsWithSlash { rest = rest.dropLast() }
        if let at = rest.lastIndex(of: "@") {
            user = String(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        if isURL, rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
        } else {
            let end = isURL ? rest.firstIndex(of: ":") ?? rest.endIndex : rest.endIndex
            host = String(rest[..<end])
            rest = rest[end...]
        }
        if !rest.isEmpty {
            guard rest.hasPrefix(":"), let number = Int(rest.dropFirst()), (1...65_535).contains(number) else {
                return nil
            }
            port = number
        }
        guard Self.isName(host, besides: ":%"), user.map({ Self.isName($0, besides: "") }) != false else { return nil }
    }

    private static func isName(_ text: String, besides more: String) -> Bool {
        guard let first = text.first, first != "-" else { return false }
        return text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-".unicodeScalars.contains($0)
                || more.unicodeScalars.contains($0)
        }
    }

    /// The command line that connects standard input and output with the queue there.
    /// - Parameters:
    ///   - startsService: whether a service is started there if none runs.
    ///   - mayAsk: whether ssh may ask the user for a password.
    package func words(startsService: Bool, mayAsk: Bool) -> [String] {
        // A connection that is silent for 15 s counts as lost.
        var words = ["ssh", "-T", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"]
        if !mayAsk { words += ["-o", "BatchMode=yes", "-o", "ConnectTimeout=10"] }
        if let port { words += ["-p", "\(port)"] }
        if let user { words += ["-l", user] }
        // Sessions of ssh do not read the files in which users extend PATH.
        var command = "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\"; exec fileq control --stdio"
        if !startsService { command += " --no-start" }
        return words + ["--", host, "exec sh -c '\(command)'"]
    }
}
