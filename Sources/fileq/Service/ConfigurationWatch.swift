// SPDX-License-Identifier: MIT

import Glibc
import RemoteControl
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
        var inhibitsSleep = true
        /// `nil`: the remote control is off.
        var remote: RemoteSettings?
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

    /// The files that are read: the configuration, and those of the remote control.
    private struct Versions: Equatable {
        var file: Version
        var remote: [Version]
    }

    private struct State {
        var seen: Versions
        var values: Values
        var modifiedAt: Double?
        var problem: String?
    }

    private let path: String
    private let remote: RemotePlaces?
    private let state: Mutex<State>

    /// - Parameter remote: `nil`: there is no remote control.
    /// - Throws: code `usage` for a broken file: a service does not start with half of its settings.
    init(path: String, remote: RemotePlaces? = nil) throws(TransferError) {
        (self.path, self.remote) = (path, remote)
        let versions = Self.versions(path, remote)
        let values = try Self.read(path, remote)
        state = Mutex(State(seen: versions, values: values, modifiedAt: versions.file.modifiedAt))
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
        let (seen, versions) = (state.withLock { $0.seen }, Self.versions(path, remote))
        guard seen != versions else { return }
        let version = versions.file
        do throws(TransferError) {
            let values = try Self.read(path, remote)
            let isNew = state.withLock { state in
                defer {
                    (state.seen, state.values, state.modifiedAt, state.problem) = (
                        versions, values, version.modifiedAt, nil
                    )
                }
                return state.values != values
            }
            if seen.file != version {
                report(
                    version.modifiedAt == nil
                        ? "the configuration file was removed; defaults are in force"
                        : "the configuration file was reloaded")
            }
            if isNew { apply(values) }
        } catch {
            let problem = MessageCatalog.text(error)
            // Disabling works with a broken file, too.
            let disabled: Values? = state.withLock { state in
                (state.seen, state.problem) = (versions, problem)
                guard remote?.isEnabled != true, state.values.remote != nil else { return nil }
                state.values.remote = nil
                return state.values
            }
            report("the changed configuration is not in force: \(problem)")
            if let disabled { apply(disabled) }
        }
    }

    private static func versions(_ path: String, _ remote: RemotePlaces?) -> Versions {
        Versions(file: Version(path), remote: remote.map { [Version($0.marker), Version($0.secret)] } ?? [])
    }

    private static func read(_ path: String, _ remote: RemotePlaces?) throws(TransferError) -> Values {
        let file = try ConfigurationFile.read(path)
        var values = Values()
        if let file {
            values.pathOverrides = try file.pathOverrides()
            (values.hooks, values.notify) = (try file.hookCommands(), try file.notifySettings())
            values.inhibitsSleep = try file.inhibitsSleep()
        }
        if let remote, remote.isEnabled {
            var settings = try file?.remoteSettings() ?? ConfigurationFile.usualRemoteSettings
            settings.secret = try remote.readSecret()
            values.remote = settings
        }
        return values
    }
}
