// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// Finds the credential for each URL of a run; prompts for a password at most once.
struct Login {
    private let user: String?
    private let surroundings: CommandEnvironment
    private var password: String?
    private var netrc: NetrcFile
    private let purpose: PlanPurpose

    init(_ options: LoginOptions, purpose: PlanPurpose, surroundings: CommandEnvironment) throws(TransferError) {
        self.surroundings = surroundings
        self.purpose = purpose
        netrc = NetrcFile(surroundings)
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
        guard user == nil || options.tokenFile == nil else {
            throw TransferError(
                .usage, about: "token-file", "--user and --token-file exclude each other: use one of them")
        }
        guard user != "" else { throw TransferError(.usage, option: "--user", "the name is empty") }
        self.user = user
    }

    /// - Throws: code `usage` if the file named by `NETRC` cannot be read.
    mutating func checkNetrc() throws(TransferError) { try netrc.check() }

    /// Whether `--user` was given.
    var namesUser: Bool { user != nil }

    /// `--user` first, then the URL's user information. `nil`: the session uses netrc after a challenge.
    ///
    /// The background service reads ~/.netrc when a transfer starts. It does not know a file named by `NETRC`, so that
    /// is read now.
    /// - Parameter isOwn: whether `--user` applies to this URL.
    /// - Throws: code `usage` if a password is needed but cannot be prompted for, and if the file named by `NETRC`
    ///   cannot be read.
    mutating func credential(for url: TransferURL, isOwn: Bool = true) throws(TransferError) -> Credential? {
        let own = isOwn ? self.user : nil
        try netrc.check()
        guard let user = own ?? url.credential?.user else {
            let isReadNow = purpose == .background && netrc.isNamed
            // What reads it later warns of nothing.
            guard isReadNow || netrc.isOpenToOthers else { return nil }
            let found = netrc.credential(host: url.host)
            return isReadNow ? found : nil
        }
        if own == nil, let given = url.credential, !given.password.isEmpty { return given }
        if let password, own != nil { return Credential(user: user, password: password) }
        if let found = netrc.password(host: url.host, user: user) {
            return Credential(user: user, password: found)
        }
        let answer = try surroundings.askPassword("Password of \(TextSanitizer.clean(user)) at \(url.authority): ")
        if own != nil { password = answer }
        return Credential(user: user, password: answer)
    }
}
