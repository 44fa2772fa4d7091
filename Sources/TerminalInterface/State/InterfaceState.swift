// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Everything the screen shows and every key depends on. Updates and keys go in, effects come out; no I/O, no clock.
struct InterfaceState: Sendable {
    /// What covers the list.
    enum Overlay: Hashable, Sendable { case help, detail }

    /// What is asked in the bottom line.
    struct Prompt: Hashable, Sendable {
        enum Purpose: Hashable, Sendable {
            case add
            case filter
            /// A rate for these.
            case limit([TransferID])
            case limitAll
            /// Whether a server's key is the right one; answered by one key.
            case trust(TransferID)
            case user(TransferID)
            /// Drawn as dots.
            case password(TransferID, user: String)
            /// Whether a login is to be kept for later runs; answered by one key.
            case keep(TransferID, Credential)
            /// Answered by one key; the question is the label.
            case quit
            /// A command for several transfers; answered by one key.
            case confirm(QueueCommand, [TransferID])

            /// One key is the answer, and the label is the question.
            var isAnsweredByKey: Bool {
                switch self {
                case .quit, .trust, .keep, .confirm: true
                case .add, .filter, .limit, .limitAll, .user, .password: false
                }
            }

            var isHidden: Bool { if case .password = self { true } else { false } }
        }

        var purpose: Purpose
        var label: String
        var editor = LineEditor()
    }

    var title = "fileq"
    /// `~` in paths that are shown.
    var homeFolder: String?
    /// Seconds since 1970, for countdowns.
    var now: Double = 0
    var columns = 80
    var rows = 24

    // The queue, as far as it is known.
    var order: [TransferID] = []
    var transfers: [TransferID: TransferSnapshot] = [:]
    var limits = QueueLimits()
    var tally = Tally()
    /// False until the first snapshot.
    var isLoaded = false

    // What the user has made of it.
    /// What passes the filter, in the queue's order.
    var visible: [TransferID] = []
    /// What is typed after `/`; set by ``setFilter(_:)``.
    var filter: String { listFilter.text }
    var listFilter = ListFilter("", now: 0)
    var selection: TransferID?
    var marks: Set<TransferID> = []
    var top = 0
    var overlay: Overlay?
    /// The first line an overlay shows.
    var overlayTop = 0
    var prompt: Prompt?
    /// Seconds for which the queue has not answered a question; `nil`: it answers.
    var silence: Int?
    /// One line about what just happened; the next key takes it away.
    var notice: Notice?

    struct Notice: Hashable, Sendable {
        var text: String
        var isError = false
    }

    init() {}

    var selectedIndex: Int? { selection.flatMap { visible.firstIndex(of: $0) } }
    var selected: TransferSnapshot? { selection.flatMap { transfers[$0] } }

    /// What a command is about: the marked ones in the queue's order, as far as the filter shows them, else the
    /// selected one; in the detail view always the one it shows.
    var targets: [TransferSnapshot] {
        if !marks.isEmpty, overlay != .detail {
            let marked = visible.filter(marks.contains)
            if !marked.isEmpty { return marked.compactMap { transfers[$0] } }
        }
        return selected.map { [$0] } ?? []
    }

    var snapshot: QueueSnapshot { QueueSnapshot(transfers: order.compactMap { transfers[$0] }, limits: limits) }

    /// Rows of transfers that the window holds.
    var pageRows: Int { ScreenLayout(columns: columns, rows: rows).list.count }

    /// The transfers on the screen now.
    var onScreen: ArraySlice<TransferID> {
        let first = Viewport.top(top, selected: selectedIndex, count: visible.count, height: pageRows)
        return visible[first..<min(visible.count, first + pageRows)]
    }

    /// Whether something on the screen shows time that passes, so that it must be drawn again when the second changes.
    var isCounting: Bool {
        let candidates = overlay == nil ? onScreen : selection.map { [$0] } ?? []
        return candidates.contains { id in
            guard let transfer = transfers[id] else { return false }
            return switch transfer.state {
            case .retrying: transfer.retryAt.map { $0 > now } ?? false
            case .waiting: transfer.waitingSince != nil
            default: false
            }
        }
    }

    mutating func resize(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        settle()
    }

    /// Keeps the list's position in step with the selection. After every change.
    mutating func settle() {
        top = Viewport.top(top, selected: selectedIndex, count: visible.count, height: pageRows)
    }
}
