// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Synchronization
import TransferControl
import TransferModel
import TransferService

/// The service's configuration, reloaded when the file changes. A broken file leaves the previous values in force.
final class ConfigurationWatch: Sendable {
    /// The values that a running service reloads.
    struct Values: Sendable, Equatable {
        var pathOverrides = PathOverrides()
        var hooks = HookCommands()
        var notify = NotifySettings()
    }

    /// Identifies a version of the file; ``none`` without a file.
    private struct Version: Equatable {
        var inode: ino_t = 0
        var size: Int = 0
        var modified: [Int] = []
        var changed: [Int] = []

        init(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            (inode, size) = (status.st_ino, Int(status.st_size))
            modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
            changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        }

        var modifiedAt: Double? { modified.isEmpty ? nil : Double(modified[0]) + Double(modified[1]) / 1e9 }
    }

    private struct State {
        var seen: Version
        var values: Values
        var modifiedAt: Double?
        var problem: String?
    }

    private let path: String
    private let state: Mutex<State>

    /// - Throws: code `usage` for a broken file: a service does not start with half of its settings.
    init(path: String) throws(TransferError) {
        self.path = path
        let version = Version(path)
        let values = try Self.read(path)
        state = Mutex(State(seen: version, values: values, modifiedAt: version.modifiedAt))
    }

    var values: Values { state.withLock { $0.values } }

    /// For `service status`.
    var summary: ServiceConfiguration {
        state.withLock { state in
            var hooks: [String: String] = [:]
            for (event, words) in state.values.hooks.commands { hooks[event.key] = words.first }
            return ServiceConfiguration(
                file: path, modifiedAt: state.modifiedAt, problem: state.problem, hooks: hooks,
                interfaces: state.values.pathOverrides.interfaces.keys.sorted())
        }
    }

    /// Reloads the file if it has changed. One caller at a time.
    /// - Parameters:
    ///   - report: receives a line about a change or an error.
    ///   - apply: called when the values change.
    func check(report: (String) -> Void, apply: (Values) -> Void) {
        let version = Version(path)
        guard state.withLock({ $0.seen }) != version else { return }
        do throws(TransferError) {
            let values = try Self.read(path)
            let isNew = state.withLock { state in
                defer {
                    (state.seen, state.values, state.modifiedAt, state.problem) = (
                        version, values, version.modifiedAt, nil
                    )
                }
                return state.values != values
            }
            report(
                version.modifiedAt == nil
                    ? "the configuration file was removed; defaults are in force"
                    : "the configuration file was reloaded")
            if isNew { apply(values) }
        } catch {
            let problem = MessageCatalog.text(error)
            state.withLock { ($0.seen, $0.problem) = (version, problem) }
            report("the changed configuration file is not in force: \(problem)")
        }
    }

    private static func read(_ path: String) throws(TransferError) -> Values {
        guard let file = try ConfigurationFile.read(path) else { return Values() }
        return Values(
            pathOverrides: try file.pathOverrides(), hooks: try file.hookCommands(), notify: try file.notifySettings())
    }
}
