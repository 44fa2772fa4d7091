// SPDX-License-Identifier: MIT

import TransferControl
package import TransferModel

/// A view of the configuration: the transfers that match a filter.
package struct OwnView: Sendable {
    /// The most that have keys.
    package static let most = 3
    /// Columns of a title.
    private static let titleColumns = 12

    /// Fits into the line of the views.
    let title: String
    private(set) var filter: ListFilter

    /// - Parameters:
    ///   - filter: as typed after `/`.
    ///   - now: seconds since 1970, the base of ages.
    /// - Throws: code `usage` if one is empty, or the filter has a mistake.
    package init(name: String, filter text: String, now: Double) throws(TransferError) {
        let clean = TextSanitizer.clean(name)
        guard !clean.allSatisfy(\.isWhitespace) else { throw TransferError(.usage, "a view has a name") }
        var shown = Substring(CellText.fit(clean, width: min(Self.titleColumns, CellWidth.of(clean))))
        while shown.last == " " { shown.removeLast() }
        title = String(shown)
        filter = ListFilter(text, now: now)
        if let error = filter.error { throw error }
        guard !filter.isEmpty else { throw TransferError(.usage, "a view has a filter, such as \"size>1G\"") }
    }
}

extension OwnView {
    /// - Parameter now: seconds since 1970, from which ages count.
    mutating func count(from now: Double) { if filter.hasAges { filter = ListFilter(filter.text, now: now) } }
}
