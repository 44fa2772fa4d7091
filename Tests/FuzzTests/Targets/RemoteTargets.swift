// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import RemoteControl
@testable import TransferModel

extension FuzzTarget {
    /// What clients of the remote control send.
    static let remote = [FuzzTarget("rpc", rpc)]

    private static func rpc(_ bytes: Bytes) throws {
        let input = bytes.array
        let value = RPCValue(json: input)
        if let value { try valueKeeps(value) }
        let calls: [RPCCall]
        do throws(RPCFailure) {
            switch try RPCMessage(input) {
            case .single(let call): calls = [call]
            case .batch(let several): calls = several
            }
        } catch {
            return try promise(value != nil || error == .parse, "what is not JSON is refused as \(error)")
        }
        try promise(value != nil, "a message that is not JSON")
        try promise((1...RPCMessage.maximumCalls).contains(calls.count), "\(calls.count) calls")
        for call in calls.prefix(16) {
            guard case .success(let request) = call.content else { continue }
            let params = RPCParams(request.params)
            for index in request.params.indices.prefix(4) {
                if let options = try? params.options(index) { try optionsKeep(options) }
                if let text = request.params[index].string { try nameKeeps(text) }
            }
        }
    }

    private static func valueKeeps(_ value: RPCValue) throws {
        try promise(depth(value) <= RPCValue.maximumDepth, "\(depth(value)) levels")
        // What exceeds a Double is written as text.
        guard isFinite(value) else { return }
        let json = value.json
        try promise(RPCValue(json: json) == value, "a value changes: \(String(decoding: json, as: UTF8.self))")
    }

    private static func depth(_ value: RPCValue) -> Int {
        switch value {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.map { depth($0.value) }.max() ?? 0)
        case .null, .bool, .number, .string: 1
        }
    }

    private static func isFinite(_ value: RPCValue) -> Bool {
        switch value {
        case .array(let values): values.allSatisfy(isFinite)
        case .object(let members): members.allSatisfy { isFinite($0.value) }
        case .number(let number): number.isFinite
        case .null, .bool, .string: true
        }
    }

    /// Nothing leaves the download folder, and no field has two lines.
    private static func optionsKeep(_ options: RemoteOptions) throws {
        let folder = RemoteFolder(base: "/home/user/Downloads", allowsOutside: false)
        if let place = try? folder.folder(options["dir"]) {
            try promise(place == folder.base || isBelow(folder.base, place), "a folder outside: \(place)")
            if let out = options["out"], let path = try? folder.file(out, in: place) {
                try promise(isBelow(place, path), "a file outside: \(path)")
            }
        }
        if let fields = try? options.requestFields() {
            let values = fields.headers.map(\.value) + [fields.referer ?? ""]
            try promise(values.allSatisfy(isOneLine), "a field of two lines: \(values)")
            let names = Set(fields.headers.map(\.name.canonicalName))
            try promise(names.isDisjoint(with: ["range", "transfer-encoding", "cookie"]), "fields of fileq: \(names)")
        }
        if let terms = try? options.transferOptions() {
            try promise((1...16).contains(terms.connections ?? 1), "\(terms.connections ?? 0) connections")
            try promise(terms.rateLimit ?? 1 > 0, "a limit of \(terms.rateLimit ?? 0)")
        }
        if let gid = try? options.gid() { try promise(RemoteGID(gid.text) == gid, "the GID \(gid.text) changes") }
        _ = (try? options.checksum(), try? options.existing(), try? options.isPaused())
    }

    /// - Returns: whether all parts of `path` behind those of `folder` are visible names.
    private static func isBelow(_ folder: String, _ path: String) -> Bool {
        // By bytes: a combining mark belongs to the character before it.
        guard path.utf8.starts(with: folder.utf8) else { return false }
        let rest = path.utf8.dropFirst(folder.utf8.count)
        guard rest.first == UInt8(ascii: "/") else { return false }
        return rest.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.first != UInt8(ascii: ".") && !$0.contains(0) }
    }

    private static func isOneLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 || $0 == 9 } }

    private static let index: RemoteIndex = {
        let index = RemoteIndex()
        index.added((1...64).map(TransferID.init(rawValue:)), gid: RemoteGID("00000000000000ab"), paused: false)
        return index
    }()

    /// A transfer that is found by a text has a GID that begins with it.
    private static func nameKeeps(_ text: String) throws {
        if let gid = RemoteGID(text) {
            try promise(gid.text == text.lowercased() && RemoteGID(gid.text) == gid, "the GID \(text) changes")
            if let id = gid.id { try promise(RemoteGID(id) == gid, "\(id) has another GID than \(text)") }
        }
        guard let id = try? index.find(text) else { return }
        let names = [RemoteGID(id).text] + (id.rawValue == 1 ? ["00000000000000ab"] : [])
        try promise(names.contains { $0.hasPrefix(text.lowercased()) }, "\(text) finds \(names)")
    }
}
