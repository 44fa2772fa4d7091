// SPDX-License-Identifier: MIT

import Platform
import TransferModel
import TransferService

/// Downloads a checksum list before the downloads that need it.
enum ChecksumFetch {
    static func isAddress(_ place: String) -> Bool {
        ["http://", "https://"].contains { place.lowercased().hasPrefix($0) }
    }

    /// The list at the URL that `command` names; `nil` without a URL.
    ///
    /// Headers, cookies and login of the command are sent only if the list has the origin of the first download.
    /// - Throws: the failure of the download, prefixed with the option's name.
    static func list(for command: DownloadArguments, _ surroundings: CommandEnvironment) async throws -> ChecksumList? {
        guard let place = command.files.checksumFile, isAddress(place) else { return nil }
        let url = try naming(option) { () throws(TransferError) in try TransferURL(place) }
        let bytes = try await bytes(
            of: url, for: command, surroundings, option: option, limit: ChecksumList.maximumBytes)
        let text = try TextFile.list(bytes, named: url.lastPathSegment ?? url.displayString, option: option)
        let list = try ChecksumList(text, named: url.lastPathSegment ?? url.displayString)
        if let notice = list.notice { surroundings.warn(notice) }
        return list
    }

    private static let option = "--checksum-file"

    /// Downloads what the command needs before its plan, into memory.
    /// - Throws: the failure of the download, prefixed with the option's name; code `usage` for more than `limit`
    ///   bytes, which must be whole MiB.
    static func bytes(
        of url: TransferURL, for command: DownloadArguments, _ surroundings: CommandEnvironment, option: String,
        limit: Int
    ) async throws -> [UInt8] {
        let plan = try request(url, for: command).plan(surroundings)
        // What was read cannot be taken back: where a server sends no ranges, a broken download begins again here.
        var attempts = 5
        while true {
            attempts -= 1
            let received: Received
            do { received = try await Received(downloading: plan, limit: limit) } catch let error as SystemError {
                throw TransferError(
                    .other, option: option, "no pipe: \(TransferError.phrase(errno: error.errno))",
                    systemErrno: error.errno)
            }
            guard let bytes = received.bytes else {
                throw TransferError(.usage, option: option, "'\(url)' is larger than \(limit >> 20) MiB")
            }
            guard let failure = received.failure else { return bytes }
            guard failure.fields.problem?.kind == .outputBrokeOff, attempts > 0 else {
                throw failure.concerning(option: option)
            }
        }
    }

    /// The arguments that download a list for `command`. ``Received`` replaces its destination.
    static func request(_ url: TransferURL, for command: DownloadArguments) -> DownloadArguments {
        var get = DownloadArguments(
            urls: [url.string], destination: .of(output: nil, directory: "/"), shared: command.shared)
        (get.shared.files.input, get.shared.files.checksums, get.shared.files.overwrite) = ([], [], true)
        get.shared.request.method = nil
        let origin = command.urls.first.flatMap { try? TransferURL($0) }?.origin
        if url.origin != origin {
            (get.shared.request.header, get.shared.request.cookie) = ([], [])
            (get.shared.request.sid, get.shared.request.sidFile, get.shared.request.meta) = (nil, nil, [])
            (get.shared.login.user, get.shared.login.passwordFile, get.shared.login.tokenFile) = (nil, nil, nil)
            (get.shared.identity.cert, get.shared.identity.key) = (nil, nil)
        }
        return get
    }
}
