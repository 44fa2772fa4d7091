// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
import TransferControl
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
    static func list(for command: GetCommand, _ surroundings: CommandEnvironment) async throws -> ChecksumList? {
        guard let place = command.files.checksumFile, isAddress(place) else { return nil }
        let url = try naming(option) { () throws(TransferError) in try TransferURL(place) }
        let text = try await withFile(of: url, for: command, surroundings, option: option) {
            path throws(TransferError) in
            try TextFile.readListFile(path, option: option, limit: ChecksumList.maximumBytes)
        }
        let list = try ChecksumList(text, named: url.lastPathSegment ?? url.string)
        if let notice = list.notice { surroundings.warn(notice) }
        return list
    }

    private static let option = "--checksum-file"

    /// Downloads a file that the command needs before its plan.
    /// - Parameter read: reads it at a temporary path.
    /// - Throws: the failure of the download, prefixed with the option's name.
    static func withFile<Value>(
        of url: TransferURL, for command: GetCommand, _ surroundings: CommandEnvironment, option: String,
        read: (String) throws(TransferError) -> Value
    ) async throws -> Value {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/fileq-sums-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TransferError(
                .cannotWrite, option: option, "no temporary folder: \(SystemError.phrase(errno))")
        }
        let folder = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // With this ending a Metalink document is saved as it is.
        let path = "\(folder)/list\(Metalink.ending)"
        let plan = try request(url, for: command, to: path).plan(surroundings)
        try await fetch(plan, option)
        return try read(path)
    }

    /// The command that downloads a list for `command`.
    static func request(_ url: TransferURL, for command: GetCommand, to path: String) -> GetCommand {
        var get = GetCommand()
        (get.urls, get.destination, get.shared) = ([url.string], .of(output: path, directory: nil), command.shared)
        (get.sync, get.noSync) = (false, false)
        get.files = .defaults
        (get.shared.files.input, get.shared.files.checksum, get.shared.files.overwrite) = ([], nil, true)
        get.shared.request.method = nil
        let origin = command.urls.first.flatMap { try? TransferURL($0) }?.origin
        if url.origin != origin {
            (get.shared.request.header, get.shared.request.cookie) = ([], [])
            (get.shared.request.sid, get.shared.request.sidFile, get.shared.request.meta) = (nil, nil, [])
            (get.shared.login.user, get.shared.login.passwordFile) = (nil, nil)
            (get.shared.identity.cert, get.shared.identity.key) = (nil, nil)
        }
        return get
    }

    private static func fetch(_ plan: TransferPlan, _ option: String) async throws {
        let queue = try makeQueue(plan.settings)
        let updates = queue.client.updates()
        var ledger = RunLedger(order: try await queue.client.add(plan.descriptions, paused: false))
        var failure: TransferError?
        for await update in updates {
            for event in ledger.take(update, now: SystemClock.wall, isStopping: false) {
                failure = event.transfer.error ?? failure
            }
            if ledger.isFinished { break }
        }
        await queue.stop()
        guard !ledger.isSuccess else { return }
        throw (failure ?? TransferError(.other, "the list could not be downloaded")).concerning(
            option: option)
    }
}
