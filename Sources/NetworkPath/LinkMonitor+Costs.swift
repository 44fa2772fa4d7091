// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import Synchronization

extension LinkMonitor {
    /// Seconds until a cost is queried again when a path is requested.
    static let freshness = 60.0
    /// Seconds after a change until its cost is queried again: NetworkManager evaluates a network after setting it up.
    static let afterthought = 3.0

    /// On the queue. One query at a time.
    func queryCosts() {
        let now = scheduler.now
        let isThere = metering.isThere
        let links: [Link]? = guarded.withLock { guarded in
            guarded.asking.lastAsked = now
            guarded.view.costs.isSourceThere = isThere
            guard isThere else { return nil }
            guard !guarded.asking.isUnderWay else {
                guarded.asking.isWantedAgain = true
                return nil
            }
            guarded.asking.isUnderWay = true
            return guarded.view.linksToAskAbout
        }
        guard let links else { return }
        askingQueue.async { [weak self] in
            guard let metering = self?.metering else { return }
            let answers = links.isEmpty ? [:] : metering.metered(links.map(\.name))
            self?.queue.async { [weak self] in self?.record(answers, of: links) }
        }
    }

    private func record(_ answers: [String: Bool], of links: [Link]) {
        let now = scheduler.now
        let (due, isWantedAgain, followUp): (Double?, Bool, Double?) = guarded.withLock { guarded in
            var isNew = false
            // An interface removed or renamed meanwhile is queried again when it returns.
            for link in links
            where guarded.view.table.links[link.index].map({ $0.isUsable && $0.name == link.name }) ?? false {
                if guarded.view.costs.record(answers[link.name], of: link.index) { isNew = true }
            }
            guarded.asking.isUnderWay = false
            defer { guarded.asking.isWantedAgain = false }
            let due = isNew ? guarded.gate.add(PathChange(hasNewCosts: true), at: now) : nil
            return (due, guarded.asking.isWantedAgain, nextFollowUp(&guarded.asking, now: now))
        }
        arm(due)
        if isWantedAgain { queryCosts() }
        if let followUp {
            scheduler.schedule(at: followUp) { [weak self] in
                guard let self else { return }
                queue.async { [weak self] in
                    self?.guarded.withLock { $0.asking.hasFollowUp = false }
                    self?.queryCosts()
                }
            }
        }
    }

    private func nextFollowUp(_ asking: inout Asking, now: Double) -> Double? {
        let due = asking.lastChange + Self.afterthought
        guard due > now, !asking.hasFollowUp else { return nil }
        asking.hasFollowUp = true
        return due
    }
}
