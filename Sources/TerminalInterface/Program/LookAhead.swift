// SPDX-License-Identifier: MIT

import Synchronization

/// Finds out what requests would add, the newest first: those that a newer one replaces are passed over. A folder that
/// does not respond holds up one thread of a few.
final class LookAhead: Sendable {
    typealias Look = @Sendable (AddRequest) -> AddOutlook

    private struct Work {
        var running = 0
        var newest: (request: AddRequest, serial: Int)?
    }

    private let look: Look
    private let report: @Sendable (AddOutlook, Int) -> Void
    private let work = Mutex(Work())
    private let threads: SideThreads
    private let limit: Int

    /// - Parameters:
    ///   - limit: how many may hang.
    ///   - report: called on any thread, with the number of the request.
    init(limit: Int = 3, look: @escaping Look, report: @escaping @Sendable (AddOutlook, Int) -> Void) {
        (self.look, self.report, self.limit) = (look, report, limit)
        threads = SideThreads(limit: limit + 1)
    }

    func send(_ request: AddRequest, _ serial: Int) {
        let begins = work.withLock { work in
            work.newest = (request, serial)
            guard work.running < limit else { return false }
            work.running += 1
            return true
        }
        guard begins, !threads.start({ [self] in carryOut() }) else { return }
        work.withLock { $0.running -= 1 }
        // Nothing is known, and nothing holds the form up.
        report(AddOutlook(), serial)
    }

    private func carryOut() {
        while let next = next() { report(look(next.request), next.serial) }
    }

    private func next() -> (request: AddRequest, serial: Int)? {
        work.withLock { work in
            defer { work.newest = nil }
            if work.newest == nil { work.running -= 1 }
            return work.newest
        }
    }
}
