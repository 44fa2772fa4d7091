// SPDX-License-Identifier: MIT

public import HTTPTypes
import Synchronization
public import TransferModel

/// What servers have said of where else they can be reached (RFC 7838), for all tasks of a session. Used from any thread.
public final class AlternativeServiceStore: Sendable {
    private static let fieldName = HTTPField.Name("Alt-Svc")!
    private let services: Mutex<AlternativeServices>
    private let file: AlternativeServicesFile?
    private let now: @Sendable () -> Double

    /// - Parameters:
    ///   - path: of a file that is read at once and written by ``save()``. `nil`: nothing is on disk.
    ///   - now: seconds since 1970.
    public init(file path: String? = nil, now: @escaping @Sendable () -> Double = { SystemScheduler().wallNow }) {
        file = path.map(AlternativeServicesFile.init)
        services = Mutex(file?.load() ?? AlternativeServices())
        self.now = now
    }

    /// - Returns: whether anything changed.
    @discardableResult
    public func note(_ fields: HTTPFields, from url: TransferURL) -> Bool {
        let values = fields[values: Self.fieldName]
        guard !values.isEmpty else { return false }
        let age = fields[.age].flatMap(Double.init) ?? 0
        return services.withLock { $0.learn(values, from: url, age: age, now: now()) }
    }

    func alternative(for url: TransferURL) -> Exchange.Alternative? { services.withLock { $0.alternative(for: url, now: now()) } }

    /// Does not use an alternative for five minutes that could not be reached.
    func markBroken(_ alternative: Exchange.Alternative, of url: TransferURL) {
        services.withLock { $0.markBroken(alternative, of: url, until: now() + 300) }
    }

    public func removeAll() { services.withLock { $0 = AlternativeServices() } }

    /// Blocks.
    /// - Throws: code `cannotWrite`.
    public func save() throws(TransferError) {
        try file?.save(services.withLock { $0 })
    }
}
