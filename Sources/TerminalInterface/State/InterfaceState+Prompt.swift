// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    mutating func ask(_ purpose: Prompt.Purpose, text: String) {
        let label =
            switch purpose {
            case .filter: "Filter: "
            case .command: ":"
            case .limit(let ids): ids.count == 1 ? "Limit: " : "Limit for \(ids.count): "
            case .limitAll: "Limit down [up]: "
            case .user: "User: "
            case .password(_, let user): "Password of \(user): "
            case .quit, .trust, .keep, .confirm, .sort, .copy: text
            }
        prompt = Prompt(purpose: purpose, label: label, editor: LineEditor(purpose.isAnsweredByKey ? "" : text))
    }

    /// Handles a key while a prompt is open.
    mutating func answer(_ key: Key) -> [Effect] {
        guard let asked = prompt else { return [] }
        if asked.purpose == .sort {
            prompt = nil
            sort(by: key)
            return []
        }
        if asked.purpose == .copy {
            prompt = nil
            return copy(key)
        }
        if asked.purpose.isAnsweredByKey {
            prompt = nil
            return decide(asked.purpose, key)
        }
        if asked.purpose == .command, let effects = pressInPalette(key) { return effects }
        switch key {
        case .enter:
            prompt = nil
            return submit(asked)
        case .escape, .control("c"):
            prompt = nil
            if asked.purpose == .filter { setFilter("") }
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        default:
            guard prompt?.editor.press(key) == true else { return [] }
            if asked.purpose == .filter { setFilter(prompt?.editor.text ?? "") }
        }
        return []
    }

    mutating func setFilter(_ text: String) {
        let index = selectedIndex
        listFilter = ListFilter(text, now: now)
        refilter(near: index)
    }

    private mutating func submit(_ asked: Prompt) -> [Effect] {
        let text = RateText.trimmed(asked.editor.text)
        do throws(TransferError) {
            switch asked.purpose {
            case .limit(let ids): return [.perform(.limit(try RateText.parse(text)), ids)]
            case .limitAll: return [.setLimits(try RateText.parse(text, into: limits))]
            case .user(let id):
                if !text.isEmpty { ask(.password(id, user: text), text: "") }
                return []
            case .password(let id, let user):
                ask(.keep(id, Credential(user: user, password: asked.editor.text)), text: Self.keepQuestion)
                return []
            case .filter:
                if let error = listFilter.error { throw error }
                return []
            case .trust, .keep, .quit, .confirm, .sort, .copy, .command: return []
            }
        } catch {
            prompt = asked
            notice = Notice(text: words.failure(error), isError: true)
            return []
        }
    }
}

/// Speed limits as typed.
package enum RateText {
    static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// Empty, `0` and `-`: no limit.
    static func parse(_ text: String) throws(TransferError) -> Int? {
        if text.isEmpty || text == "0" || text == "-" { return nil }
        return try TransferRate.parse(text)
    }

    /// `DOWN` or `DOWN UP`; one value leaves the other unchanged, an empty text removes both.
    static func parse(_ text: String, into limits: QueueLimits) throws(TransferError) -> QueueLimits {
        let words = text.split { $0 == " " || $0 == "/" || $0 == "," }.map(String.init)
        guard words.count <= 2 else {
            throw TransferError(.usage, "limit: a rate for downloads and, after a space, one for uploads")
        }
        var limits = limits
        limits.download = try words.first.flatMap { (word) throws(TransferError) in try parse(word) }
        if words.count != 1 {
            limits.upload = try words.last.flatMap { (word) throws(TransferError) in try parse(word) }
        }
        return limits
    }

    /// `4M`, `1.5M`, `150K`: as short as it can be, with fewer decimals where `width` columns are too few for all.
    static func label(_ rate: Int, width: Int = .max) -> String {
        let text = ByteCount.short(Double(rate))
        guard text.contains("."), let unit = text.last else { return text }
        var digits = text.dropLast()
        while digits.last == "0" || (digits.count >= width && digits.contains(".")) { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return digits + String(unit)
    }

    /// A rate that ``parse(_:)`` reads back exactly.
    package static func editable(_ rate: Int) -> String {
        for (unit, suffix) in [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "k")] where rate % unit == 0 && rate > 0 {
            return "\(rate / unit)\(suffix)"
        }
        return String(rate)
    }

    static func editable(_ limits: QueueLimits) -> String {
        guard limits.download != nil || limits.upload != nil else { return "" }
        return [limits.download, limits.upload].map { $0.map(editable) ?? "-" }.joined(separator: " ")
    }
}
