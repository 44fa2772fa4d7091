// SPDX-License-Identifier: MIT

import ArgumentParser
import RemoteControl
import TransferControl
import TransferModel

/// `fileq rpc`
struct RPCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rpc",
        abstract: "Let browsers and aria2's front ends use the queue.",
        discussion: """
            The background service then speaks aria2's JSON-RPC, over HTTP and WebSocket, on this machine: extensions \
            of browsers hand downloads over, and AriaNg and others show the queue. It is off until it is enabled, and \
            every call needs the secret.

            [rpc] in the configuration: host, port (6800), tls-cert and tls-key (needed for other machines), names \
            (of this machine in requests), origins (further pages that may call), dir (the folder to save into; \
            default: Downloads), allow-outside, allow-shutdown.

            Examples:
              fileq rpc enable
              fileq rpc status --json
              fileq rpc disable
            """,
        subcommands: [RPCEnableCommand.self, RPCDisableCommand.self, RPCStatusCommand.self]
    )
}

/// `fileq rpc enable`
struct RPCEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Enable the remote control, permanently, and make its secret.",
        discussion: """
            Prints the address for clients. The secret is in the file that standard error names; only you can read it. \
            The service starts if it is not running, and does not exit when it is idle as long as the remote control \
            is enabled.
            """
    )

    @Flag(help: "Make another secret, so that clients with the old one are refused.")
    var newSecret = false

    mutating func run() async throws {
        let places = Places(environment: ProcessEnvironment.value)
        try places.service.prepare()
        _ = try ConfigurationFile.read(places.configuration)?.remoteSettings()
        try places.remote.makeSecret(keeping: !newSecret)
        try places.remote.enable()
        let client = try await ServiceAccess.connect()
        let state = try await RemoteState.wait(client) { $0.url != nil || $0.problem != nil }
        if let problem = state.problem { throw TransferError(.other, "enabled, but not running: \(problem)") }
        guard let url = state.url else {
            throw TransferError(.other, "enabled, but the service has not started it; see 'fileq logs'")
        }
        print(url)
        StandardError.say("the secret is in \(places.remote.secret)")
    }
}

/// `fileq rpc disable`
struct RPCDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable the remote control; the secret is kept.",
        discussion: "Connections of clients are closed. Transfers continue."
    )

    mutating func run() async throws {
        try Places(environment: ProcessEnvironment.value).remote.disable()
        guard let client = try await ServiceAccess.talkative().find() else { return }
        let state = try await RemoteState.wait(client) { $0.url == nil }
        if state.url != nil {
            throw TransferError(.other, "disabled, but the service still serves it; 'fileq service stop' ends it")
        }
    }
}

/// `fileq rpc status`
struct RPCStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the remote control is enabled, its address and its secret's file.",
        discussion: "Never starts the service. The exit code is 0 if it is enabled and 1 if it is not."
    )

    @Flag(
        help: """
            One JSON object: enabled, url (while it runs), secret_file, and problem if it is enabled and cannot run.
            """)
    var json = false

    mutating func run() async throws {
        let places = Places(environment: ProcessEnvironment.value)
        var state = RemoteState()
        if let client = try await ServiceAccess.talkative().find() { state = try await RemoteState(client) }
        state.isEnabled = places.remote.isEnabled
        state.secretFile = places.remote.secret
        print(json ? state.object : state.text)
        if !state.isEnabled { throw ExitCode(1) }
    }
}

/// What the service and the files say about the remote control.
struct RemoteState: Equatable {
    var isEnabled = false
    var secretFile = ""
    /// While it runs.
    var url: String?
    var problem: String?

    init() {}

    init(_ client: ControlClient) async throws {
        let configuration = try await client.status().configuration
        (url, problem) = (configuration?.remoteURL, configuration?.remoteProblem ?? configuration?.problem)
    }

    /// Waits for a running service, which looks at the files every two seconds.
    static func wait(_ client: ControlClient, until isReached: (RemoteState) -> Bool) async throws -> RemoteState {
        var state = try await RemoteState(client)
        for _ in 0..<100 where !isReached(state) {
            try await Task.sleep(for: .milliseconds(100))
            state = try await RemoteState(client)
        }
        return state
    }

    var object: String {
        var line = JSONLine()
        line.add("enabled", isEnabled)
        line.add("url", url)
        line.add("secret_file", secretFile)
        line.add("problem", problem)
        return line.object
    }

    var text: String {
        let rows: [(String, String?)] = [
            ("enabled", isEnabled ? "yes" : "no; 'fileq rpc enable' enables it"),
            ("address", isEnabled ? url ?? "none: the service is not running, or has a problem" : nil),
            ("secret", isEnabled ? "in \(secretFile)" : nil),
            ("problem", problem),
        ]
        return rows.compactMap { name, value in
            value.map { name + String(repeating: " ", count: 9 - name.count) + LineText.escaped($0) }
        }.joined(separator: "\n")
    }
}
