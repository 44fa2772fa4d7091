// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// What holds of small transfers, whether they have a task or none: each is requested by one request at a time, sent no
/// more once its server has accepted it, and has a name only if it is complete.
final class FetchLedger {
    private let trace: Trace
    /// Of servers: uploads of which the present process has the response that they are stored.
    private var accepted: Set<String> = []
    /// Files that got their names in the present process without a rename.
    private var linked: Set<String> = []

    init(_ trace: Trace) { self.trace = trace }

    // MARK: Requests

    /// - Parameter isRequested: another request for the same file is under way.
    func began(_ path: String, isRequested: Bool) {
        if isRequested { trace.violate("one request at a time", "\(path) is fetched while another request has it") }
    }

    /// The response to the whole body has arrived.
    func accepted(_ exchange: Exchange) {
        if exchange.method == .put, exchange.url.path.hasPrefix("/put") { accepted.insert(exchange.url.path) }
    }

    /// A command on it, or one that may concern it, begins or ends.
    func touched(_ path: String?) { if let path { accepted.remove(path) } else { accepted = [] } }

    /// - Parameter isCommanded: a command on it is under way.
    func check(_ exchange: Exchange, isCommanded: Bool) {
        guard exchange.method == .put, !isCommanded, accepted.contains(exchange.url.path) else { return }
        trace.violate("sent once", "\(exchange.url.path) is sent although its server has accepted it")
    }

    // MARK: Names

    func linked(_ file: String) { linked.insert(file) }

    /// - Parameter state: before.
    func cancelled(_ file: String, from state: TransferState?) {
        guard state == .verifying, linked.contains(file) else { return }
        trace.violate("no name without its end", "\(file.lastPathPart ?? "") is there, and its transfer is cancelled")
    }

    func restarted() { (accepted, linked) = ([], []) }
}
