// SPDX-License-Identifier: MIT

import ArgumentParser
import Synchronization
import TransferControl
import TransferModel

/// The connection of a command to the background service.
enum ServiceAccess {
    /// Connects to the service, and starts it if none is running and `startsService` allows it.
    /// - Parameters:
    ///   - machine: whose service; `nil`: this one's.
    ///   - mayAsk: see ``RemoteLauncher/mayAsk``.
    /// - Throws: code `other` if none is running and none may be started; the reason why a service cannot start.
    static func connect(
        startsService: Bool = true, on machine: RemoteMachine? = nil, mayAsk: Bool = true
    ) async throws(TransferError) -> ControlClient {
        if let machine { return try await remote(machine, mayAsk: mayAsk).connect(startsService: startsService) }
        return try await talkative().connect(startsService: startsService)
    }

    /// For a long-lived front end: restarts the service if it crashes. Reports delays on standard error until it
    /// returns: from then on a screen may be open.
    /// - Parameter isScreenOpen: whether one is open already: nothing is reported, and ssh asks nothing.
    static func connectPersistently(
        on machine: RemoteMachine? = nil, isScreenOpen: Bool = false
    ) async throws(TransferError) -> ReconnectingQueueClient {
        if let machine { return try await connectPersistently(remote(machine, mayAsk: !isScreenOpen)) }
        let launcher = try launcher()
        let delays = DelayReports()
        if isScreenOpen { delays.end() }
        defer { delays.end() }
        var first = launcher
        first.report = { delays.say(MessageCatalog.text($0)) }
        let late = Task {
            try await Task.sleep(for: .seconds(2))
            delays.say("waiting for the background service")
        }
        defer { late.cancel() }
        return ReconnectingQueueClient(first: try await first.connect()) {
            startsService async throws(TransferError) in
            try await launcher.connect(startsService: startsService)
        }
    }

    /// The way to another machine may be gone for hours: it is tried for a day.
    private static func connectPersistently(
        _ launcher: RemoteLauncher
    ) async throws(TransferError) -> ReconnectingQueueClient {
        var later = launcher
        later.mayAsk = false
        var options = ReconnectingQueueClient.Options()
        options.pauses += Array(repeating: 30, count: 24 * 120)
        return ReconnectingQueueClient(first: try await launcher.connect(), options: options) {
            [later] startsService async throws(TransferError) in
            try await later.connect(startsService: startsService)
        }
    }

    private static func remote(_ machine: RemoteMachine, mayAsk: Bool) -> RemoteLauncher {
        var options = ControlClient.Options(version: FileqCommand.configuration.version)
        // A password is typed meanwhile.
        options.callTimeout = 120
        var launcher = RemoteLauncher(machine: machine, options: options)
        launcher.mayAsk = mayAsk
        return launcher
    }

    /// What standard error gets as long as no screen is open.
    private final class DelayReports: Sendable {
        private let isOver = Mutex(false)

        func say(_ text: String) {
            isOver.withLock { isOver in
                guard !isOver else { return }
                StandardError.say(text)
            }
        }

        func end() {
            isOver.withLock { $0 = true }
        }
    }

    /// Reports delays on standard error. Not for callers that draw on the screen.
    static func talkative() throws(TransferError) -> ServiceLauncher {
        var launcher = try launcher()
        launcher.report = { StandardError.say(MessageCatalog.text($0)) }
        launcher.options.silence = 2
        launcher.options.replyingChanged = { isAnswering in
            if !isAnswering { StandardError.say("the background service has not replied for 2 s; waiting") }
        }
        return launcher
    }

    static func launcher() throws(TransferError) -> ServiceLauncher {
        let places = Places(environment: ProcessEnvironment.value).service
        guard let program = ServiceLauncher.ownProgram else {
            throw TransferError(
                .other,
                "the background service cannot be started: /proc is not mounted")
        }
        return ServiceLauncher(
            places: places, options: ControlClient.Options(version: FileqCommand.configuration.version),
            program: program,
            environment: ServiceLauncher.surroundings(ServiceLauncher.processEnvironment, places: places))
    }
}
