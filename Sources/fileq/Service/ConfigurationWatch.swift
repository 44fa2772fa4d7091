// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Synchronization
import TransferControl
import TransferModel
import TransferService

/// What the configuration file says to the service, read again whenever the file is another. One that is broken leaves
/// what was in force before it.
final class ConfigurationWatch: Sendable {
    /// What a running service takes over.
    struct Values: Sendable, Equatable {
        var pathOverrides = PathOverrides()
        var hooks = HookCommands()
    }

    /// By which one version of the file is told from another; ``none`` where there is no file.
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

    /// - Throws: code `usage` for a file that is broken now: a service does not begin with half of its settings.
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

    /// Reads the file if it has changed since it was looked at last. One caller at a time.
    /// - Parameters:
    ///   - report: gets one line about a change, or about what is wrong with it.
    ///   - apply: called where other values are in force from now on.
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
                    ? "the configuration file is gone; defaults are in force" : "the configuration file was read again")
            if isNew { apply(values) }
        } catch {
            state.withLock { ($0.seen, $0.problem) = (version, error.message) }
            report("the configuration file was changed and is not in force: \(error.message)")
        }
    }

    private static func read(_ path: String) throws(TransferError) -> Values {
        guard let file = try ConfigurationFile.read(path) else { return Values() }
        return Values(pathOverrides: try file.pathOverrides(), hooks: try file.hookCommands())
    }
}
