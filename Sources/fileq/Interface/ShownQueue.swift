// SPDX-License-Identifier: MIT

import Synchronization
import TerminalInterface
import TransferControl
import TransferModel

/// The queue that the interface shows: that of one machine at a time, which `:on` changes.
final class ShownQueue: Sendable {
    private struct State {
        /// The client of the queue that the screen left last.
        var last: ReconnectingQueueClient?
        /// A note about transfers that continue, when the user quit.
        var farewell: String?
    }

    private let state = Mutex(State())
    /// Keys and look, the same for each machine.
    private let settings: InterfaceScreen.Settings

    init(_ settings: InterfaceScreen.Settings) { self.settings = settings }

    /// Why the queue ended that the screen left last; `nil`: that is not known.
    var failure: TransferError? { state.withLock { $0.last }?.failure }
    var farewell: String? { state.withLock { $0.farewell } }

    /// A screen on the queue of a machine, with an open connection, which the program closes when it leaves the queue.
    /// - Parameter isScreenOpen: whether another one is open: ssh then asks nothing, and no mistakes are repeated.
    func program(on machine: MachineOptions, isScreenOpen: Bool = false) async throws -> TerminalProgram {
        let client = try await ServiceAccess.connectPersistently(on: try machine.machine(), isScreenOpen: isScreenOpen)
        var settings = try machine.settings(self.settings, home: client.home)
        if isScreenOpen { (settings.warning, settings.mistakes) = (nil, []) }
        settings.reconnections = { client.reconnections }
        settings.losses = client.losses
        // Another machine's desktop is not this one.
        if settings.surroundings.machine == nil { settings.attend = { try? await client.attend($0) } }
        settings.close = { [self] in
            client.close()
            state.withLock { $0.last = client }
        }
        settings.on = { [self] name in
            var machine = MachineOptions.here
            machine.on = ["", "-"].contains(name) ? "local" : name
            return try await program(on: machine, isScreenOpen: true)
        }
        let name = settings.surroundings.machine == nil ? nil : machine.on
        return InterfaceScreen.program(client, settings) { [self] snapshot in
            let active = snapshot.transfers.count { QueueActivity.keepsAlive($0.state) }
            state.withLock { $0.farewell = InterfaceCommand.farewell(active, on: name) }
            // Quitting stops nothing, so it needs no confirmation.
            return nil
        }
    }
}
