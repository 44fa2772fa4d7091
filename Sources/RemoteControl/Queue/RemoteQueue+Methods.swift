// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The methods by name. Those of BitTorrent are here to say that there is none.
extension RemoteQueue {
    struct Method: Sendable {
        var needsToken = true
        let body: Body
    }

    static let methods: [String: Method] = {
        var methods: [String: Method] = [:]
        func add(_ name: String, body: @escaping Body) { methods["aria2.\(name)"] = Method(body: body) }
        add("addUri") { try await $0.addURI($1) }
        add("addMetalink") { try await $0.addMetalink($1) }
        add("addTorrent") { _, _ in throw RPCFailure.noBitTorrent }
        add("getPeers") { _, _ in .array([]) }
        addCommands(&methods)
        add("tellStatus") { try await $0.tellStatus($1) }
        add("tellActive") { try await $0.list(.active, keys: try $1.strings(0)) }
        add("tellWaiting") { try await $0.page(.waiting, $1) }
        add("tellStopped") { try await $0.page(.stopped, $1) }
        add("getFiles") { .array([try await $0.status($1).file()]) }
        add("getUris") { try await $0.status($1).uris() }
        add("getServers") { try await $0.status($1).servers() }
        add("getGlobalStat") { remote, _ in try await remote.globalStat() }
        add("getOption") { try await $0.option($1) }
        add("changeOption") { try await $0.changeOption($1) }
        add("getGlobalOption") { remote, _ in try await remote.globalOption() }
        add("changeGlobalOption") { try await $0.changeGlobalOption($1) }
        addNames(&methods)
        return methods
    }()

    typealias Body = @Sendable (RemoteQueue, RPCParams) async throws -> RPCValue

    private static func addCommands(_ methods: inout [String: Method]) {
        func add(_ names: String..., body: @escaping Body) {
            for name in names { methods["aria2.\(name)"] = Method(body: body) }
        }
        add("pause", "forcePause") { try await $0.pause($1) }
        add("unpause") { try await $0.unpause($1) }
        add("remove", "forceRemove") { try await $0.remove($1) }
        add("pauseAll", "forcePauseAll") { remote, _ in
            try await remote.queue.setHeld(true)
            return done
        }
        add("unpauseAll") { remote, _ in try await remote.unpauseAll() }
        add("changePosition") { try await $0.changePosition($1) }
        add("changeUri") { try await $0.changeURI($1) }
        add("removeDownloadResult") { try await $0.removeResult($1) }
        add("purgeDownloadResult") { remote, _ in
            try await remote.forget(remote.index.ids(.stopped))
            return done
        }
        add("saveSession") { _, _ in done }
        add("shutdown", "forceShutdown") { remote, _ in
            guard remote.settings.allowsShutdown else {
                throw RPCFailure("clients may not end the service; allow-shutdown in [rpc] allows it")
            }
            remote.shutDown()
            return done
        }
    }

    private static func addNames(_ methods: inout [String: Method]) {
        methods["aria2.getVersion"] = Method { _, _ in
            .object([
                // Clients compare it with versions of aria2.
                .init("version", .string("1.37.0")),
                .init("enabledFeatures", texts(["Async DNS", "HTTPS", "Message Digest", "Metalink"])),
                .init("product", .string("fileq " + ProgramVersion.current)),
            ])
        }
        methods["aria2.getSessionInfo"] = Method { remote, _ in
            .object([.init("sessionId", .string(remote.sessionID))])
        }
        let names = (methods.keys + ["system.multicall", "system.listMethods", "system.listNotifications"]).sorted()
        methods["system.listMethods"] = Method(needsToken: false) { _, _ in texts(names) }
        methods["system.listNotifications"] = Method(needsToken: false) { _, _ in
            texts(RemoteIndex.Notice.Kind.allCases.map(\.rawValue))
        }
    }

    static let done = RPCValue.string("OK")

    static func texts(_ texts: [String]) -> RPCValue { .array(texts.map(RPCValue.string)) }

    /// The transfer that the first parameter names.
    func id(_ params: RPCParams) throws(RPCFailure) -> TransferID {
        try index.find(try params.required(0, \.string))
    }
}
