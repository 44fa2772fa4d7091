// SPDX-License-Identifier: MIT

import ArgumentParser
import HTTPTypes
import SessionCore
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq relocate`
struct RelocateCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relocate",
        abstract: "Change URL, credentials or file of transfers; they keep their bytes.",
        discussion: """
            Options that you omit stay unchanged; cookies replace all previous ones. A running transfer uses the new \
            values from its next attempt on; one that had failed is started again, and a note says so. Its bytes are \
            kept only if the new URL has the same file. --url and --output are for one transfer; headers, cookies, \
            login, SID and client certificate are for transfers of one server.

            If the scheme, host or port changes, everything given for the old one is dropped, and listed, unless the \
            same command sets it: headers that may contain credentials, cookies, login, SID and client certificate.

            --output and --directory move the bytes of a download so far. To another file system they are copied: the \
            command waits for it, and the transfer is queued meanwhile; 'fileq pause' and 'fileq cancel' stop it. One \
            that was paused because the disk was full continues there.

            \(SelectionOptions.help)

            Examples:
              fileq relocate 7 --url https://mirror.example.org/disk.iso
              fileq relocate 7 -b @cookies.txt
              fileq relocate 7 --url https://mirror.example.org/disk.iso -H @authorization.txt
              fileq relocate 7 --user me --password-file secret.txt
              fileq relocate 7 -d ~/Videos --if-exists replace
              fileq relocate --user me host:example.org
            """
    )

    @OptionGroup var selection: SelectionOptions

    @Option(help: ArgumentHelp("The new URL: http or https; or PLACE:path.", valueName: "url"))
    var url: String?

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "Replace this header; @FILE reads one per line from a file. Repeatable.",
            valueName: "name: value"))
    var header: [String] = []

    @Option(
        name: [.customShort("b"), .long],
        help: ArgumentHelp(
            "Send this cookie; @FILE reads NAME=VALUE lines or the Netscape format. Repeatable.",
            valueName: "name=value"))
    var cookie: [String] = []

    @OptionGroup var destination: DestinationOptions

    @Option(
        help: ArgumentHelp(
            """
            If the file exists: fail, replace it, skip the download, replace it if the server's is newer, or take the \
            next free name.
            """,
            valueName: "fail|replace|skip|newer|keep-both"),
        completion: .list(["fail", "replace", "skip", "newer", "keep-both"]))
    var ifExists: String?

    @Option(
        help: ArgumentHelp("New FileQ session of an upload. Others can see it in the process list.", valueName: "value")
    )
    var sid: String?

    @Option(help: ArgumentHelp("As --sid, from the first line of a file.", valueName: "file"), completion: .file())
    var sidFile: String?

    @OptionGroup var login: LoginOptions
    @OptionGroup var identity: IdentityOptions
    @OptionGroup var shown: ActionOutputOptions

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        guard
            url != nil || !header.isEmpty || !cookie.isEmpty || sid != nil || sidFile != nil || login.user != nil
                || login.tokenFile != nil || identity.cert != nil || destination.output != nil
                || destination.directory != nil || ifExists != nil
        else {
            throw TransferError(
                .usage,
                "pass what to change: --url, --header, --cookie, --sid, --sid-file, --user, --token-file, --cert, "
                    + "--output, --directory or --if-exists")
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
        let headers = try HeaderArguments.parse(header, tokenFile: login.tokenFile)
        let certificate = try absolute(TrustArguments.identity(identity), context)
        let (file, folder) = try place(context)
        let existing = try existingChoice()
        let selection = try QueueSelection(selection, now: context.now)
        let isOfFile = file != nil || folder != nil || existing != nil
        // The queue says of a named upload that it has no file.
        let action = QueueAction(
            states: QueueAction.all.subtracting([.completed]), nothing: "nothing to change", commands: [],
            concerns: { !isOfFile || selection.namesTransfers || $0.kind == .download })
        let client = try await context.queue()
        let concerned = try await action.select(selection, with: client, in: context)
        guard concerned.count <= 1 || url == nil && file == nil else {
            throw TransferError(
                .usage, option: url == nil ? "--output" : "--url",
                "it is for one transfer, and \(concerned.count) are selected; pass one ID")
        }
        let isForServer =
            !headers.isEmpty || !cookie.isEmpty || sid != nil || login.user != nil || certificate != nil
        guard !isForServer || Set(concerned.map { (try? TransferURL($0.url).origin) ?? $0.url }).count <= 1 else {
            throw TransferError(
                .usage,
                "headers, cookies, login, SID and client certificate are for one server, and transfers of several are "
                    + "selected; select those of one, such as 'url:https://example.org/*'")
        }
        let asksLogin = login.user != nil || address?.credential != nil
        let group = concerned.count > 1 ? String(UInt64.random(in: .min ... .max), radix: 36) : nil
        var done: [Transfer] = []
        var status: Int32?
        for transfer in concerned {
            do {
                // For cookies of a jar and the password prompt.
                let place = try address ?? TransferURL(transfer.url)
                let relocation = Relocation(
                    url: address,
                    headers: headers.isEmpty ? nil : headers.map { .init(name: $0.name.rawName, value: $0.value) },
                    cookies: cookie.isEmpty ? nil : try cookies(for: place, now: context.now),
                    credential: asksLogin ? try session.credential(for: place) : nil, sid: sid,
                    clientIdentity: certificate, file: file, folder: folder, existing: existing, group: group)
                let dropped = try await client.relocate(transfer.id, to: relocation)
                if let note = Self.note(onDropped: dropped, of: transfer.id, at: place) { context.say(note) }
                done.append(transfer)
            } catch let error as TransferError where concerned.count > 1 {
                let report = ErrorReport(error, about: MergedArguments(words: []))
                context.say("\(transfer.id): \(report.line ?? error.message)")
                status = status ?? report.status
            }
        }
        let failed = done.filter { $0.state == .failed }.map(\.id)
        if !failed.isEmpty { try await client.perform(.retry, on: failed) }
        if let note = Self.note(onRestarted: failed) { context.say(note) }
        try await QueueAction.perform([], on: done.map(\.id), with: client, shown, in: context)
        if let status { throw ExitCode(status) }
    }

    private static func note(onDropped dropped: [String], of id: TransferID, at place: TransferURL) -> String? {
        guard !dropped.isEmpty else { return nil }
        let names = dropped.map(TextSanitizer.clean).joined(separator: ", ")
        return "\(id): not sent to the new server \(place.authority): \(names); 'fileq relocate \(id)' sets new values"
    }

    /// The note about transfers that had failed.
    static func note(onRestarted ids: [TransferID]) -> String? {
        guard let first = ids.first else { return nil }
        return ids.count == 1
            ? "\(first) had failed and is started again" : "\(ids.count) transfers had failed and are started again"
    }

    /// The service has a different working folder.
    private func absolute(_ identity: ClientIdentity?, _ context: QueueContext) throws(TransferError) -> ClientIdentity?
    {
        guard let identity else { return nil }
        return AbsolutePaths(workingFolder: try context.surroundings.workingFolder()).identity(identity)
    }

    private func place(_ context: QueueContext) throws(TransferError) -> (file: String?, folder: String?) {
        let (output, directory) = (destination.output, destination.directory)
        guard output == nil || directory == nil else {
            throw TransferError(.usage, about: "output", "--output and --directory exclude each other: use one of them")
        }
        guard output != nil || directory != nil else { return (nil, nil) }
        for (name, value) in [("--output", output), ("--directory", directory)] where value?.isEmpty == true {
            throw TransferError(.usage, option: name, "the path is empty")
        }
        let paths = AbsolutePaths(workingFolder: try context.surroundings.workingFolder())
        if let output, output.endsWithSlash || output == "-" {
            throw TransferError(.usage, option: "--output", "'\(output)' is no file; --directory takes a folder")
        }
        return (output.map(paths.path), directory.map(paths.path))
    }

    private func existingChoice() throws(TransferError) -> Relocation.Existing? {
        switch ifExists {
        case nil: return nil
        case "fail": return .fails
        case "replace": return .overwrites
        case "skip": return .skips
        case "newer": return .updates
        case "keep-both": return .keepsBoth
        default: throw TransferError(.usage, option: "--if-exists", "use fail, replace, skip, newer or keep-both")
        }
    }

    private func sessionID() throws(TransferError) -> String? {
        guard sid == nil || sidFile == nil else {
            throw TransferError(.usage, about: "sid", "--sid and --sid-file exclude each other: use one of them")
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
                cookies.append(try CookieArguments.cookie(word))
                continue
            }
            switch try CookieArguments.file(String(word.dropFirst()), now: now) {
            case .pairs(let pairs): cookies += pairs
            case .netscape(let file): cookies += try file.cookies(for: url)
            }
        }
        return cookies
    }
}
