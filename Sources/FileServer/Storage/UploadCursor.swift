// SPDX-License-Identifier: MIT

import TransferModel

/// A place in the list of FileQ uploads, oldest first: behind one of them, which may be gone since.
struct UploadCursor: Sendable, Equatable, Comparable, CustomStringConvertible {
    /// Seconds since 1970.
    var received: Double
    var id: String

    init(_ record: UploadRecord) { (received, id) = (record.received, record.id) }

    /// `nil` if `text` is no ``description``.
    init?(parsing text: String) {
        guard let hyphen = text.lastIndex(of: "-"), let received = Double(text[..<hyphen]), received.isFinite else {
            return nil
        }
        let id = String(text[text.index(after: hyphen)...])
        guard UniqueName.isOne(id) else { return nil }
        (self.received, self.id) = (received, id)
    }

    var description: String { "\(received)-\(id)" }

    static func < (one: UploadCursor, other: UploadCursor) -> Bool {
        (one.received, one.id) < (other.received, other.id)
    }
}

/// A part of the list of FileQ uploads.
struct UploadPage: Sendable, Equatable {
    static let mostRecords = 1000
    /// The most bytes of names and metadata on a page, roughly.
    static let mostBytes = 1 << 20

    var records: [UploadRecord]
    /// Where the next page begins; `nil`: this is the last one.
    var next: UploadCursor?

    /// - Parameters:
    ///   - all: in any order.
    ///   - complete: adds to a record what is not in memory.
    init(of all: [UploadRecord], after cursor: UploadCursor?, complete: (UploadRecord) -> UploadRecord = { $0 }) {
        let rest = all.filter { record in cursor.map { $0 < UploadCursor(record) } ?? true }
            .sorted { UploadCursor($0) < UploadCursor($1) }
        var bytes = 0
        records = []
        for record in rest.prefix(Self.mostRecords) {
            let whole = complete(record)
            bytes += whole.name.utf8.count + UploadRecord.bytes(of: whole.metadata)
            guard records.isEmpty || bytes <= Self.mostBytes else { break }
            records.append(whole)
        }
        next = records.count < rest.count ? records.last.map { UploadCursor($0) } : nil
    }

    /// The address of the next page.
    var reference: String? { next.map { "\(FileQListing.path)?after=\($0)" } }

    var listing: FileQListing { FileQListing(files: records.map(\.listing), next: reference) }
}
