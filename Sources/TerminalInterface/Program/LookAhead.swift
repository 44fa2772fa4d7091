// SPDX-License-Identifier: MIT

import Synchronization

/// Finds out what requests lead to, the newest first: those that a newer one replaces are passed over. A folder that
/// does not respond holds up one thread of a few.
final class LookAhead<Request: Sendable, Outlook: Sendable>: Sendable {
    typealias Look = @Sendable (Request) -> Outlook

    private struct Work {
        var running = 0
        var newest: (request: Request, serial: Int)?
    }

    private let look: Look
    private let unknown: Outlook
    private let report: @Sendable (Outlook, Int) -> Void
    private let work = Mutex(Work())
    private let threads: SideThreads
    private let limit: Int

    /// - Parameters:
    ///   - limit: how many may hang.
    ///   - unknown: reported where too many hang.
    ///   - report: called on any thread, with the number of the request.
    init(
        limit: Int = 3, unknown: Outlook, look: @escaping Look, report: @escaping @Sendable (Outlook, Int) -> Void
    ) {
        (self.look, self.unknown, self.report, self.limit) = (look, unknown, report, limit)
        threads = SideThreads(limit: limit + 1)
    }

    func send(_ request: Request, _ serial: Int) {
        let begins = work.withLock { work in
            work.newest = (request, serial)
            guard work.running < limit else { return false }
            work.running += 1
            return true
        }
        guard begins, !threads.start({ [self] in carryOut() }) else { return }
        work.withLock { $0.running -= 1 }
        // Nothing is known, and nothing holds the form up.
        report(unknown, serial)
    }

    private func carryOut() {
        while let next = next() { report(look(next.request), next.serial) }
    }

    private func next() -> (request: Request, serial: Int)? {
        work.withLock { work in
            defer { work.newest = nil }
            if work.newest == nil { work.running -= 1 }
            return work.newest
        }
    }
}
