// SPDX-License-Identifier: MIT

import ArgumentParser
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
    /// For commands that add: connected before they plan, since another machine's folders are not known before.
    /// - Returns: `nil` for this machine, whose service is started when the plan holds.
    func connection() async throws -> (ControlClient?, CommandEnvironment) {
        guard let machine = try machine() else { return (nil, .process) }
        let client = try await ServiceAccess.connect(on: machine)
        return (client, try CommandEnvironment.process.elsewhere(machine, client.home))
    }
}

extension CommandEnvironment {
    /// For paths on the machine of a queue: relative ones begin in its user's folder, as those of scp do.
    /// - Parameter home: that folder; see ``ControlClient/home``.
    /// - Throws: code `usage` if the service there does not say.
    func elsewhere(_ machine: RemoteMachine?, _ home: String?) throws(TransferError) -> CommandEnvironment {
        guard let machine else { return self }
        guard let home else {
            throw TransferError(
                .usage, option: "--on", "fileq on \(machine.host) is too old to be given files from here")
        }
        var changed = self
        changed.machine = machine.host
        changed.workingFolder = { () throws(TransferError) in home }
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
