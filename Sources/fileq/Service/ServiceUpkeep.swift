// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferControl
import TransferModel

/// What a service sees to every two seconds while it runs: that its socket can be found, and that its configuration is
/// the file's.
///
/// It asks by `stat`: a folder that is unmounted lazily, as systemd does at logout, or one far up that is renamed,
/// makes no inotify event.
final class ServiceUpkeep: Sendable {
    private struct State {
        var server: ControlServer?
        /// What was said last of a socket that cannot be made.
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

    /// The server whose socket it is from now on.
    func serve(_ server: ControlServer) { state.withLock { $0.server = server } }

    /// Begins; ends with the last reference to the upkeep.
    func begin(every seconds: Double = 2) {
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.look()
            self?.begin(every: seconds)
        }
    }

    func look() {
        configuration.check(report: report, apply: apply)
        state.withLock { $0.server }?.restoreSocket { [weak self] result in
            switch result {
            case nil: break
            case .success(let path):
                self?.state.withLock { $0.failure = nil }
                self?.report("the socket was gone and is there again: \(path)")
            case .failure(let error): self?.told(error.message)
            }
        }
    }

    /// Once for each reason, not every two seconds.
    private func told(_ failure: String) {
        let isNew = state.withLock { state in
            defer { state.failure = failure }
            return state.failure != failure
        }
        if isNew { report("the socket is gone and cannot be made again: \(failure)") }
    }
}
