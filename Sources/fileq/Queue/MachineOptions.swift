// SPDX-License-Identifier: MIT

import ArgumentParser
import Synchronization
import TransferControl
import TransferModel

/// Whose queue a command uses.
struct MachineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: "
                + "of this one.",
            valueName: "machine"))
    var on: String?

    /// Without the option; for commands that are not parsed.
    static var here: MachineOptions {
        var options = MachineOptions()
        options.on = nil
        return options
    }

    /// `nil`: this one.
    /// - Throws: code `usage`.
    func machine() throws(TransferError) -> RemoteMachine? {
        guard let on, on != "local" else { return nil }
        guard let machine = RemoteMachine(on) else {
            throw TransferError(.usage, option: "--on", "use ssh://[user@]machine[:port] or a name of ~/.ssh/config")
        }
        return machine
    }
}

extension MachineOptions {
    /// Another machine's queue, with paths as they are there; connected before anything is planned, since its user's
    /// folder is not known before.
    /// - Returns: `nil` and the process's own for this machine, whose service is started when it is needed.
    func connection() async throws -> (ControlClient?, CommandEnvironment) {
        guard let machine = try machine() else { return (nil, .process) }
        let client = try await ServiceAccess.connect(on: machine)
        return (client, CommandEnvironment.process.elsewhere(machine, client.home))
    }

    /// The surroundings of a command of the queue.
    func context() async throws -> QueueContext {
        var context = QueueContext.process
        guard let machine = try machine() else { return context }
        let (client, surroundings) = try await connection()
        (context.surroundings, context.damagedQueue) = (surroundings, { nil })
        // The first connection is there; a command that stays makes others.
        let first = Mutex(client)
        context.connect = { startsService async throws(TransferError) in
            if let client = first.withLock({ $0.take() }) { return client }
            return try await ServiceAccess.connect(startsService: startsService, on: machine, mayAsk: false)
        }
        return context
    }

    /// What an interface on the queue needs of its machine.
    /// - Parameter settings: the same for each machine.
    func settings(
        _ settings: InterfaceScreen.Settings = InterfaceScreen.Settings(), home: String?
    ) throws(TransferError) -> InterfaceScreen.Settings {
        var settings = settings
        guard let machine = try machine() else { return settings }
        settings.title = "fileq \(machine.host)"
        settings.surroundings = settings.surroundings.elsewhere(machine, home)
        return settings
    }
}

extension CommandEnvironment {
    /// For paths on the machine of a queue: relative ones begin in its user's folder, as those of scp do.
    /// - Parameter home: that folder; see ``ControlClient/home``. Without it, relative paths are refused.
    func elsewhere(_ machine: RemoteMachine, _ home: String?) -> CommandEnvironment {
        var changed = self
        changed.machine = machine.host
        changed.workingFolder = { () throws(TransferError) in
            if let home { return home }
            throw TransferError(
                .usage, option: "--on", "fileq on \(machine.host) is too old to be given files from here")
        }
        changed.umask = { nil }
        changed.environment = { [environment] in $0 == "HOME" ? home : environment($0) }
        return changed
    }

    /// - Throws: code `usage` if the queue is another machine's.
    func requireOwnFiles(for what: String) throws(TransferError) {
        guard let machine else { return }
        throw TransferError(
            .usage, option: "--on",
            "\(what) reads files of this machine, and the queue is on \(machine); use --on local")
    }
}
