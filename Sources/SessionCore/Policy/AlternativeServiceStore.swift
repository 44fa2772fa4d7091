// SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization
public import TransferModel

/// Alternative services of servers (RFC 7838), for all tasks of a session. Thread-safe.
public final class AlternativeServiceStore: Sendable {
    private static let fieldName = HTTPField.Name("Alt-Svc")!
    private struct Guarded {
        var services: AlternativeServices
        /// There are unsaved changes.
        var isChanged = false
    }

    private let guarded: Mutex<Guarded>
    private let file: AlternativeServicesFile?
    private let now: @Sendable () -> Double

    /// - Parameters:
    ///   - path: a file that is read immediately and written by ``save()``. `nil`: memory only.
    ///   - now: seconds since 1970.
    public init(file path: String? = nil, now: @escaping @Sendable () -> Double = { SystemScheduler().wallNow }) {
        file = path.map(AlternativeServicesFile.init)
        guarded = Mutex(Guarded(services: file?.load() ?? AlternativeServices()))
        self.now = now
    }

    /// - Returns: whether anything changed.
    @discardableResult
    package func note(_ fields: HTTPFields, from url: TransferURL) -> Bool {
        let values = fields[values: Self.fieldName]
        guard !values.isEmpty else { return false }
        let age = fields[.age].flatMap(Double.init) ?? 0
        return guarded.withLock { guarded in
            let isNew = guarded.services.learn(values, from: url, age: age, now: now())
            if isNew { guarded.isChanged = true }
            return isNew
        }
    }

    func alternative(for url: TransferURL) -> Exchange.Alternative? {
        guarded.withLock { $0.services.alternative(for: url, now: now()) }
    }

    /// Skips an unreachable alternative for five minutes.
    func markBroken(_ alternative: Exchange.Alternative, of url: TransferURL) {
        change { $0.markBroken(alternative, of: url, until: now() + 300) }
    }

    /// See ``AlternativeServices/networkChanged()``.
    func networkChanged() { change { $0.networkChanged() } }

    public func removeAll() { change { $0 = AlternativeServices() } }

    private func change(_ body: (inout AlternativeServices) -> Void) {
        guarded.withLock { guarded in
            let before = guarded.services
            body(&guarded.services)
            if guarded.services != before { guarded.isChanged = true }
        }
    }

    /// Writes the file if there are changes, and creates missing parent folders. Blocks.
    /// - Throws: code `cannotWrite`.
    public func save() throws(TransferError) {
        guard let file else { return }
        let changed = guarded.withLock { guarded in
            defer { guarded.isChanged = false }
            return guarded.isChanged ? guarded.services : nil
        }
        guard let changed else { return }
        try PersistentFile.makeFolders(above: file.path)
        try file.save(changed)
    }
}
