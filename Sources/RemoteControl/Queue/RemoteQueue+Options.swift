// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferControl
import TransferModel

/// Options of transfers and of the queue.
extension RemoteQueue {
    /// Secrets, such as header fields, are not among them.
    func option(_ params: RPCParams) async throws -> RPCValue {
        let transfer = try await transfer(try id(params))
        return Self.object(
            Self.constants + [
                ("dir", RemoteStatus.folder(of: transfer.file)),
                ("gid", RemoteGID(transfer).text),
                ("max-download-limit", "\(transfer.rateLimit ?? 0)"),
                ("out", transfer.file.lastPathPart.map(String.init) ?? ""),
                ("pause", "\(transfer.state == .paused)"),
            ])
    }

    /// Limit, place, and fields of later requests; others are ignored.
    func changeOption(_ params: RPCParams) async throws -> RPCValue {
        let id = try id(params)
        let options = try params.required(1, RemoteOptions.init)
        let limit = try options.rate("max-download-limit") ?? options.rate("max-upload-limit")
        if let place = try await relocation(of: id, options) { try await queue.relocate(id, to: place) }
        if let limit { try await queue.perform(.limit(limit), on: [id]) }
        return Self.done
    }

    private func relocation(of id: TransferID, _ options: RemoteOptions) async throws -> Relocation? {
        var place = Relocation()
        if options["dir"] != nil || options["out"] != nil {
            let transfer = try await transfer(id)
            guard transfer.kind == .download else { throw RPCFailure("an upload has no file to store") }
            let current = RemoteStatus.folder(of: transfer.file)
            let folder = try options["dir"].map { try self.folder.folder($0) } ?? current
            let name = options["out"] ?? transfer.file.lastPathPart.map(String.init) ?? ""
            let path = try self.folder.file(name, in: folder)
            if path != transfer.file {
                try RemoteFolder.create(RemoteStatus.folder(of: path))
                place.file = path
            }
        }
        let fields = try options.requestFields()
        var headers = fields.headers.map { Relocation.Header(name: $0.name.rawName, value: $0.value) }
        if let referer = fields.referer { headers.append(.init(name: "Referer", value: referer)) }
        if let agent = options["user-agent"] { headers.append(.init(name: "User-Agent", value: agent)) }
        if !headers.isEmpty { place.headers = headers }
        if !fields.cookies.isEmpty { place.cookies = fields.cookies }
        place.credential = options.login
        return place == Relocation() ? nil : place
    }

    func globalOption() async throws -> RPCValue {
        let limits = try await queue.limits()
        return Self.object(
            Self.constants + [
                ("dir", settings.folder),
                ("max-concurrent-downloads", "\(limits.concurrent)"),
                ("max-overall-download-limit", "\(limits.download ?? 0)"),
                ("max-overall-upload-limit", "\(limits.upload ?? 0)"),
                ("rpc-listen-port", "\(settings.port)"),
                ("rpc-secure", "\(settings.tls != nil)"),
            ])
    }

    func changeGlobalOption(_ params: RPCParams) async throws -> RPCValue {
        let options = try params.required(0, RemoteOptions.init)
        if let name = options.names.first(where: Self.isRefused) {
            throw RPCFailure("\(name.prefix(64)) cannot be changed by remote control")
        }
        if let dir = options["dir"], dir != settings.folder {
            throw RPCFailure("the download folder is dir in [rpc] of the configuration")
        }
        var limits = try await queue.limits()
        let old = limits
        if let text = options["max-concurrent-downloads"] {
            guard let count = Int(text), (1...256).contains(count) else {
                throw RemoteOptions.wrong("max-concurrent-downloads", "a number from 1 to 256")
            }
            limits.concurrent = count
        }
        if let rate = try options.rate("max-overall-download-limit") { limits.download = rate }
        if let rate = try options.rate("max-overall-upload-limit") { limits.upload = rate }
        // A hold is not a limit.
        limits.isHeld = nil
        if (limits.concurrent, limits.download, limits.upload) != (old.concurrent, old.download, old.upload) {
            try await queue.setLimits(limits)
        }
        return Self.done
    }

    /// Options that run programs, or read and write files of the service.
    private static func isRefused(_ name: String) -> Bool {
        [
            "log", "conf-path", "input-file", "load-cookies", "netrc-path", "save-cookies", "save-session",
            "server-stat-if", "server-stat-of", "ca-certificate", "certificate", "private-key",
        ].contains(name) || ["on-", "rpc-"].contains(where: name.hasPrefix)
    }

    /// What clients show in their settings: fileq's ways in aria2's words.
    private static let constants: [(String, String)] = [
        ("allow-overwrite", "false"), ("auto-file-renaming", "true"), ("continue", "true"),
        ("max-connection-per-server", "4"), ("remote-time", "true"), ("split", "4"),
    ]

    private static func object(_ pairs: [(String, String)]) -> RPCValue {
        .object(pairs.sorted { $0.0 < $1.0 }.map { .init($0.0, .string($0.1)) })
    }
}
