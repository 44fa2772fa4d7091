// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferControl
import TransferModel

extension RemoteQueue {
    /// `uris`, of which the further ones are mirrors; options; position.
    func addURI(_ params: RPCParams) async throws -> RPCValue {
        let addresses = try params.required(0, \.array).compactMap(\.string)
        let options = try params.options(1)
        var urls: [TransferURL] = []
        for address in addresses {
            guard !address.lowercased().hasPrefix("magnet:") else { throw RPCFailure.noBitTorrent }
            let url = try TransferURL(address)
            if !urls.contains(url) { urls.append(url) }
        }
        guard let url = urls.first else { throw RPCFailure("No URI to download.") }
        guard urls.count <= FileMirror.maximumCount else {
            throw RPCFailure("a file has at most \(FileMirror.maximumCount) addresses")
        }
        var download = Download(destination: try destination(for: url, options), checksum: try options.checksum())
        (download.overwrites, download.existing) = try options.existing()
        download.mirrors = urls.dropFirst().map { FileMirror(url: $0) }
        download.followsMetalink = options.followsMetalink()
        let spec = Spec(url: url, operation: .download(download), options: try options.transferOptions())
        let gids = try await add([spec], options, at: try params.optional(2, \.integer))
        return gids[0]
    }

    /// A document in Base64; options; position.
    func addMetalink(_ params: RPCParams) async throws -> RPCValue {
        let text = try params.required(0, \.string)
        let options = try params.options(1)
        guard let document = Data(base64Encoded: text) else { throw RPCFailure("the document is not Base64") }
        var specs = try readDocument(Array(document))
        let folder = try folder.folder(options["dir"])
        try RemoteFolder.create(folder)
        let shared = Shared(wrappedValue: try options.transferOptions())
        for index in specs.indices {
            guard case .download(var download) = specs[index].operation else { continue }
            (download.overwrites, download.existing) = try options.existing()
            var path = try self.folder.file(specs[index].file, in: folder)
            if download.existing == .keepsBoth { path = RemoteFolder.free(path) }
            download.destination = .file(path: path)
            specs[index].operation = .download(download)
            specs[index].$options = shared
        }
        return .array(try await add(specs, options, at: try params.optional(2, \.integer)))
    }

    private func destination(
        for url: TransferURL, _ options: RemoteOptions
    ) throws(RPCFailure) -> Download.Destination {
        let folder = try folder.folder(options["dir"])
        guard let out = options["out"] else {
            try RemoteFolder.create(folder)
            let name = url.lastPathSegment.flatMap { SafeFileName.sanitize($0, allowsHidden: false) } ?? "index.html"
            return .folder(path: folder, name: name)
        }
        let path = try self.folder.file(out, in: folder)
        try RemoteFolder.create(RemoteStatus.folder(of: path))
        let renames = try options.existing().existing == .keepsBoth
        return .file(path: renames ? RemoteFolder.free(path) : path)
    }

    /// - Parameter position: in the list of waiting transfers; `nil`: at its end.
    /// - Returns: the GIDs.
    private func add(_ specs: [Spec], _ options: RemoteOptions, at position: Int?) async throws -> [RPCValue] {
        let gid = try options.gid()
        if let gid {
            guard specs.count == 1 else { throw RPCFailure("the option gid is for one file") }
            guard index.isFree(gid) else { throw RPCFailure("GID \(gid.text) is not unique") }
        }
        guard position ?? 0 >= 0 else { throw RPCFailure("The parameter at 2 has wrong type.") }
        let paused = try options.isPaused()
        let terms = TransferTerms(paused: paused, taskDescription: RemoteGID.origin(gid))
        let ids = try await queue.add(specs, on: terms)
        index.added(ids, gid: gid, paused: paused)
        if let position { try await move(ids, to: position) }
        return ids.map { .string((gid ?? RemoteGID($0)).text) }
    }
}
