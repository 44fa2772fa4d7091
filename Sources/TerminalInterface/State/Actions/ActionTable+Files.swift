// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Actions that open files, copy names and addresses, and move transfers within the queue.
extension ActionTable {
    static let copyQuestion =
        "Copy: " + CopiedPart.allCases.map(\.question).joined(separator: "  ") + " "

    /// Whether the file of a transfer can be opened.
    static func hasFile(_ transfer: Transfer) -> Bool {
        transfer.file.beginsWithSlash && (transfer.state == .completed || transfer.kind == .upload)
    }

    /// Opens the file of the first target that has one.
    static func openFile(_ state: inout InterfaceState) -> [Effect] {
        guard let transfer = state.firstTarget(where: Self.hasFile) else { return [] }
        state.notice = Notice(text: "Opening \(DisplayName.of(transfer))")
        return [.open(transfer.file)]
    }

    /// Opens the folder of the first target.
    static func openFolder(_ state: inout InterfaceState) -> [Effect] {
        guard let file = state.firstTarget(where: { $0.file.beginsWithSlash })?.file, let above = file.throughLastSlash
        else { return [] }
        let folder = String(above)
        state.notice = Notice(text: "Opening \(DisplayName.path(folder, home: state.setup.homeFolder))")
        return [.open(folder)]
    }

    /// The key after that of ``Action/Name/copy``; any other copies nothing.
    static func copy(_ key: Key, _ state: inout InterfaceState) -> [Effect] {
        guard case .character(let letter) = key, let part = CopiedPart(key: letter) else { return [] }
        let texts = state.targets.map(part.text)
        let text = texts.joined(separator: "\n")
        guard text.utf8.count <= ClipboardReport.maximum else {
            state.notice = Notice(text: "Too long for a terminal's clipboard: \(texts.count) transfers", isError: true)
            return []
        }
        state.notice = Notice(text: "Copied \(part.noun(texts.count)), if the terminal allows it")
        return [.copy(text)]
    }

    /// Moves the targets within the queue, unless they are at that end already. A notice says what the list does not
    /// show.
    static func move(_ place: QueueMove, _ state: inout InterfaceState) -> [Effect] {
        let ids = state.targets.map(\.id)
        let isUp = place == .up || place == .top
        let order = state.list.order
        guard Set(isUp ? order.prefix(ids.count) : order.suffix(ids.count)) != Set(ids) else {
            let end = isUp ? "first" : "last"
            let what = ids.count == 1 ? "It is the \(end)" : "They are the \(end) \(ids.count)"
            state.notice = Notice(text: "\(what) in the queue already")
            return []
        }
        let isPartial = state.list.view != .all || !state.list.filter.isEmpty
        if ids.count > 1 || isPartial {
            let count = ids.count > 1 ? " \(ids.count) transfers" : ""
            let way =
                switch place {
                case .up: "up"
                case .down: "down"
                case .top: "to the top"
                case .bottom: "to the bottom"
                }
            let isEnd = place == .top || place == .bottom
            let queue = isPartial ? " \(isEnd ? "of" : "in") the whole queue" : ""
            state.notice = Notice(text: "Moved\(count) \(way)\(queue). \(state.undoes)")
        }
        // In an order in which each neighbour is still in place.
        return [.perform(.move(place), place == .up || place == .bottom ? ids : ids.reversed())]
    }
}
