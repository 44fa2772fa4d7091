// SPDX-License-Identifier: MIT

import ArgumentParser
import HTTPTypes
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq relocate`
struct RelocateCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relocate",
        abstract: "Give a transfer a new address or new credentials; the bytes it has stay.",
        discussion: """
            What is not given stays as it was; cookies replace all that were there. A transfer that runs uses them \
            from its next try on; one that has failed is started by 'fileq retry'. Bytes are kept only if the new \
            address has the same file.

            An address with another scheme, host or port gets nothing that was given for the old one: headers that may \
            hold a key, cookies, login, SID and client certificate are dropped, and named, unless the same command \
            gives them anew.

            Examples:
              fileq relocate 7 --url https://mirror.example.org/disk.iso
              fileq relocate 7 -b @cookies.txt
              fileq relocate 7 --url https://mirror.example.org/disk.iso -H @authorization.txt
              fileq relocate 7 --user me --password-file secret.txt
              fileq relocate 7 --url https://example.org/disk.iso && fileq retry 7
            """
    )

    @Argument(help: ArgumentHelp("The transfer.", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("The new address: http or https.", valueName: "url"))
    var url: String?

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "Send this header instead of what was given by that name; @FILE takes one a line from a file. Repeatable.",
            valueName: "name: value"))
    var header: [String] = []

    @Option(
        name: [.customShort("b"), .long],
        help: ArgumentHelp(
            "Send this cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.",
            valueName: "name=value"))
    var cookie: [String] = []

    @Option(
        help: ArgumentHelp("New FileQ session of an upload. Others can see it in the process list.", valueName: "value")
    )
    var sid: String?

    @Option(help: ArgumentHelp("As --sid, read from the first line of a file.", valueName: "file"), completion: .file())
    var sidFile: String?

    @OptionGroup var login: LoginOptions
    @OptionGroup var identity: IdentityOptions
    @OptionGroup var shown: ActionOutputOptions

    func run(in context: QueueContext) async throws {
        guard let id = TransferID(id) else {
            throw TransferError(.usage, "'\(id)' is no ID: write one number, as 'fileq list' shows it")
        }
        guard
            url != nil || !header.isEmpty || !cookie.isEmpty || sid != nil || sidFile != nil || login.user != nil
                || identity.cert != nil
        else {
            throw TransferError(
                .usage, "say what is new: --url, --header, --cookie, --sid, --sid-file, --user or --cert")
        }
        let address = try url.map { text throws(TransferError) in try TransferURL(text) }
        if let address, let url, address.credential?.password.isEmpty == false,
            context.surroundings.arguments.contains(url)
        {
            context.say(
                "\(address.authority): other users can see the URL's password in the process list; use --user and "
                    + "--password-file"
            )
        }
        var session = try Login(login, purpose: .background, surroundings: context.surroundings)
        let sid = try sessionID()
        let headers = try HeaderWords.parse(header)
        let certificate = try absolute(TrustWords.identity(identity), context)
        let client = try await context.connect(true)
        // Its address now: for cookies of a jar, and for whom a password is asked.
        let present = try await client.info(id).transfer
        let place = try address ?? TransferURL(present.url)
        let asksLogin = login.user != nil || address?.credential != nil
        let relocation = Relocation(
            url: address,
            headers: headers.isEmpty ? nil : headers.map { .init(name: $0.name.rawName, value: $0.value) },
            cookies: cookie.isEmpty ? nil : try cookies(for: place, now: context.now),
            credential: asksLogin ? try session.credential(for: place) : nil, sid: sid,
            clientIdentity: certificate)
        let dropped = try await client.relocate(id, to: relocation)
        if !dropped.isEmpty {
            let names = dropped.map(TextSanitizer.clean).joined(separator: ", ")
            context.say(
                "\(id): not sent to \(place.authority), which is another server: \(names); 'fileq relocate \(id)' "
                    + "gives what that one needs"
            )
        }
        try await QueueAction.perform([], on: [id], with: client, shown, in: context)
    }

    /// The service has another working folder.
    private func absolute(_ identity: ClientIdentity?, _ context: QueueContext) throws(TransferError) -> ClientIdentity?
    {
        guard let identity else { return nil }
        return AbsolutePaths(workingFolder: try context.surroundings.workingFolder()).identity(identity)
    }

    private func sessionID() throws(TransferError) -> String? {
        guard sid == nil || sidFile == nil else {
            throw TransferError(.usage, about: "sid", "--sid and --sid-file say the same thing: give one of them")
        }
        var value = sid
        if let sidFile { value = try SecretFile.firstLine(of: sidFile, option: "--sid-file") }
        guard let value else { return nil }
        guard !value.isEmpty else { throw TransferError(.usage, option: "--sid", "the value is empty") }
        _ = try naming("--sid") { () throws(TransferError) in try FileQCookies(sid: value).cookies() }
        return value
    }

    private func cookies(for url: TransferURL, now: Double) throws(TransferError) -> [Cookie] {
        var cookies: [Cookie] = []
        for word in cookie {
            guard word.hasPrefix("@") else {
                cookies.append(try CookieWords.cookie(word))
                continue
            }
            switch try CookieWords.file(String(word.dropFirst())) {
            case .pairs(let pairs): cookies += pairs
            case .netscape(let file): cookies += try file.cookies(for: url, now: now)
            }
        }
        return cookies
    }
}
