// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// Plans the downloads and uploads of a curl line as `fileq add` does for its own arguments.
struct CurlPlan {
    let line: CurlLine
    /// Options from outside the line: settings, and options given before it.
    let base: TransferOptionGroup
    let directory: String?
    /// `--sync` and `--no-sync`.
    var sync = (on: false, off: false)
    let files: DownloadFileOptions

    /// - Throws: what `get` and `put` would reject.
    func plan(_ surroundings: CommandEnvironment, with fetched: PlanInputs) throws(TransferError) -> TransferPlan {
        var whole: TransferPlan?
        let group = group()
        for (index, url) in line.urls.enumerated() where index < line.uploads.count {
            let part = try upload(line.uploads[index], to: url, group).plan(surroundings, for: .background)
            whole?.descriptions += part.descriptions
            whole = whole ?? part
        }
        let requests = line.urls.indices.dropFirst(line.uploads.count).map { request(at: $0) }
        if !requests.isEmpty {
            var part = try download(group).plan(requests, surroundings, for: .background, with: fetched)
            for index in part.descriptions.indices {
                guard let body = line.data.body, case .download(var download) = part.descriptions[index].operation
                else { continue }
                download.body = body
                part.descriptions[index].operation = .download(download)
            }
            whole?.descriptions += part.descriptions
            whole?.folders += part.folders
            whole?.settings.download = part.settings.download
            whole = whole ?? part
        }
        guard var whole else { throw TransferError(.usage, "the curl line names no URL") }
        if let passphrase = line.passphrase {
            for index in whole.descriptions.indices {
                whole.descriptions[index].options.clientIdentity?.passphrase = Secret(passphrase)
            }
        }
        line.notes.forEach(surroundings.warn)
        return whole
    }

    private func upload(_ file: String, to url: String, _ group: TransferOptionGroup) -> PutCommand {
        var put = PutCommand()
        (put.items, put.files, put.conditions, put.shared) = ([file, url], .unused, .unused, group)
        put.name = nil
        if S3Location.isOne(url), let usual = try? S3Options.parse([]), let parts = try? S3PartOptions.parse([]) {
            (put.s3, put.parts) = (usual, parts)
        }
        return put
    }

    private func download(_ group: TransferOptionGroup) -> DownloadArguments {
        var get = DownloadArguments(
            destination: .of(output: nil, directory: line.outputFolder ?? directory), sync: sync.on, noSync: sync.off,
            files: files, shared: group)
        if line.makesFolders { get.files.createDirs = true }
        // As curl does.
        get.files.noMetalink = true
        return get
    }

    private func request(at index: Int) -> DownloadRequest {
        var request = DownloadRequest(address: line.urls[index])
        let place = index - line.uploads.count
        switch line.outputs.indices.contains(place) ? line.outputs[place] : line.namesAllByURL ? .remoteName : nil {
        case .file(let name)?: request.options = [.init(name: "out", value: name, line: 0)]
        case .remoteName? where !line.takesServerName:
            guard let url = try? TransferURL(request.address) else { break }
            request.options = [.init(name: "out", value: DownloadName.propose(for: url), line: 0)]
        case .remoteName?, nil: break
        }
        return request
    }

    /// curl sends nothing of a file that is not in Netscape format; it may be anything.
    private static func isIgnoredByCurl(_ word: String) -> Bool {
        guard word.hasPrefix("@"), case .pairs? = try? CookieArguments.file(String(word.dropFirst()), now: 0) else {
            return false
        }
        StandardError.say("curl -b: '\(word.dropFirst())' is not in Netscape format; nothing of it is sent")
        return true
    }

    /// The line takes precedence over settings.
    private func group() -> TransferOptionGroup {
        var group = base
        group.request.method = line.method ?? base.request.method
        group.request.header += line.headers
        group.request.cookie += line.cookies.filter { !Self.isIgnoredByCurl($0) }
        group.request.cookieJar = line.cookieJar ?? base.request.cookieJar
        if let user = line.user {
            (group.login.user, group.login.passwordFile, group.login.tokenFile) = (user, nil, nil)
        }
        group.connection.limit = line.limit ?? base.connection.limit
        group.connection.maxRedirs = line.maximumRedirects ?? base.connection.maxRedirs
        group.connection.connectTimeout = line.connectTimeout ?? base.connection.connectTimeout
        group.connection.resourceTimeout = line.maximumTime ?? base.connection.resourceTimeout
        group.connection.retry = line.retries ?? base.connection.retry
        group.connection.cacert = line.authorities ?? base.connection.cacert
        group.connection.pin += line.pins
        group.connection.http = line.httpVersion ?? base.connection.http
        group.network.interface = line.interface ?? base.network.interface
        if let certificate = line.certificate {
            (group.identity.cert, group.identity.key, group.identity.keyPasswordFile) = (
                certificate, line.key, nil
            )
        }
        if line.overwrites { group.files.overwrite = true }
        return group
    }
}
