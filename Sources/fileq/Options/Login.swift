// SPDX-License-Identifier: MIT

import FoundationEssentials
import SessionCore
import TerminalInterface
import TransferModel

/// Finds the credential for each URL of a run; prompts for a password at most once.
struct Login {
    private let user: String?
    private let surroundings: CommandEnvironment
    private var password: String?
    private var netrc: Netrc?
    private let purpose: PlanPurpose

    init(_ options: LoginOptions, purpose: PlanPurpose, surroundings: CommandEnvironment) throws(TransferError) {
        self.surroundings = surroundings
        self.purpose = purpose
        var user = options.user
        if let words = options.user?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false),
            words.count == 2
        {
            guard options.passwordFile == nil else {
                throw TransferError(
                    .usage, about: "user",
                    "--user NAME:PASSWORD and --password-file exclude each other: use one of them")
            }
            user = String(words[0])
            password = String(words[1])
            if surroundings.arguments.contains(where: { $0.hasSuffix(":\(words[1])") }) {
                surroundings.warn(
                    "--user: other users can see the password in the process list; "
                        + "pass the name only and fileq asks, or use --password-file")
            }
        }
        if let file = options.passwordFile {
            guard user != nil else {
                throw TransferError(.usage, about: "password-file", "--password-file needs --user NAME")
            }
            password = try SecretFile.firstLine(of: file, option: "--password-file")
        }
        guard user != "" else { throw TransferError(.usage, option: "--user", "the name is empty") }
        self.user = user
    }

    /// Whether `--user` was given.
    var namesUser: Bool { user != nil }

    /// `--user` first, then the URL's user information. `nil`: the session uses netrc after a challenge.
    ///
    /// The background service reads ~/.netrc when a transfer starts. It does not know a file named by `NETRC`, so that
    /// is read now.
    /// - Parameter isOwn: whether `--user` applies to this URL.
    /// - Throws: code `usage` if a password is needed but cannot be prompted for.
    mutating func credential(for url: TransferURL, isOwn: Bool = true) throws(TransferError) -> Credential? {
        let own = isOwn ? self.user : nil
        guard let user = own ?? url.credential?.user else {
            guard purpose == .background, surroundings.environment("NETRC") != nil else { return nil }
            return try readNetrc().credential(host: url.host)
        }
        if own == nil, let given = url.credential, !given.password.isEmpty { return given }
        if let password, own != nil { return Credential(user: user, password: password) }
        if let found = try readNetrc().password(host: url.host, user: user) {
            return Credential(user: user, password: found)
        }
        let answer = try surroundings.askPassword("Password of \(TextSanitizer.clean(user)) at \(url.authority): ")
        if own != nil { password = answer }
        return Credential(user: user, password: answer)
    }

    private mutating func readNetrc() throws(TransferError) -> Netrc {
        if let netrc { return netrc }
        let path = surroundings.environment("NETRC") ?? surroundings.environment("HOME").map { "\($0)/.netrc" }
        let data = path.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
        let read = Netrc(text: String(decoding: data, as: UTF8.self))
        netrc = read
        return read
    }
}
