// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferControl
import TransferModel

/// Checks every two seconds that the socket exists, and reloads the configuration.
///
/// Polls with `stat`: a lazy unmount, as systemd does at logout, or the rename of a distant parent creates no inotify
/// event.
final class ServiceUpkeep: Sendable {
    private struct State {
        var server: ControlServer?
        /// The last error reported about the socket.
        var failure: String?
    }

    private let state = Mutex(State())
    private let configuration: ConfigurationWatch
    private let apply: @Sendable (ConfigurationWatch.Values) -> Void
    private let report: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "fileq.upkeep", qos: .utility)

    init(
        configuration: ConfigurationWatch, report: @escaping @Sendable (String) -> Void,
        apply: @escaping @Sendable (ConfigurationWatch.Values) -> Void
    ) {
        self.configuration = configuration
        self.report = report
        self.apply = apply
    }

    /// Replaces the server whose socket is checked.
    func serve(_ server: ControlServer) { state.withLock { $0.server = server } }

    /// Starts; ends with the last reference to this object.
    func begin(every seconds: Double = 2) {
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.check()
            self?.begin(every: seconds)
        }
    }

    func check() {
        configuration.check(report: report, apply: apply)
        state.withLock { $0.server }?.restoreSocket { [weak self] result in
            switch result {
            case nil: break
            case .success(let path):
                self?.state.withLock { $0.failure = nil }
                self?.report("the socket was missing and has been recreated: \(path)")
            case .failure(let error): self?.reportOnce(MessageCatalog.text(error))
            }
        }
    }

    /// Once per reason, not every two seconds.
    private func reportOnce(_ failure: String) {
        let isNew = state.withLock { state in
            defer { state.failure = failure }
            return state.failure != failure
        }
        if isNew { report("the socket is missing and cannot be recreated: \(failure)") }
    }
}
