// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// How a command reaches the background service.
enum ServiceAccess {
    /// Connects to the service, and starts it first where none is running and `startsService` allows it.
    /// - Throws: code `other` where none is running and none is to be started; what a service cannot start for.
    static func connect(startsService: Bool = true) async throws(TransferError) -> ControlClient {
        try await talkative().connect(startsService: startsService)
    }

    /// For a front end that stays: where the service dies it is started again.
    static func connectLastingly() async throws(TransferError) -> ReconnectingQueueClient {
        let launcher = try launcher()
        return ReconnectingQueueClient(first: try await launcher.connect()) {
            startsService async throws(TransferError) in
            try await launcher.connect(startsService: startsService)
        }
    }

    /// Says on standard error what it waits for. Not for whoever draws on the screen.
    static func talkative() throws(TransferError) -> ServiceLauncher {
        var launcher = try launcher()
        launcher.report = { StandardError.say($0) }
        launcher.options.silence = 2
        launcher.options.answeringChanged = { isAnswering in
            if !isAnswering { StandardError.say("the background service has not answered for 2 s; waiting") }
        }
        return launcher
    }

    static func launcher() throws(TransferError) -> ServiceLauncher {
        let places = Places(environment: ProcessEnvironment.value).service
        guard let program = ServiceLauncher.ownProgram else {
            throw TransferError(
                .other,
                "the background service cannot be started: /proc, which tells where this program is, is not mounted")
        }
        return ServiceLauncher(
            places: places, options: ControlClient.Options(version: FileqCommand.configuration.version),
            program: program,
            environment: ServiceLauncher.surroundings(ServiceLauncher.processEnvironment, places: places))
    }
}
