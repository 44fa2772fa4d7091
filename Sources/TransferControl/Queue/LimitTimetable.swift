// SPDX-License-Identifier: MIT

package import TransferModel

/// Rate limits by day and time. The first entry that applies replaces the rates of ``QueueLimits``; without one, those
/// apply. It does not affect concurrency.
package struct LimitTimetable: Sendable, Hashable, Codable {
    package enum Day: String, Sendable, Hashable, Codable, CaseIterable { case mon, tue, wed, thu, fri, sat, sun }

    package struct Entry: Sendable, Hashable, Codable {
        /// The days on which it begins.
        package var days: [Day]
        /// Minutes since midnight, local time, 0..<1440.
        package var from: Int
        /// The first minute after the entry, 0…1440. One at or before `from` is on the next day.
        package var to: Int
        /// Bytes per second of all downloads; `nil`: unlimited.
        package var download: Int?
        /// Bytes per second of all uploads; `nil`: unlimited.
        package var upload: Int?

        package init(days: [Day] = Day.allCases, from: Int, to: Int, download: Int? = nil, upload: Int? = nil) {
            self.days = days
            self.from = from
            self.to = to
            self.download = download
            self.upload = upload
        }
    }

    /// The maximum of entries.
    package static let maximumEntries = 200

    package var entries: [Entry]

    package init(entries: [Entry] = []) { self.entries = entries }

    /// - Throws: code `usage` for an entry without a day, an invalid time, a rate that is not above 0, or too many
    ///   entries.
    package func validate() throws(TransferError) {
        guard entries.count <= Self.maximumEntries else {
            throw TransferError(.timetableEntries, entries.count, Self.maximumEntries)
        }
        for entry in entries {
            guard !entry.days.isEmpty else { throw TransferError(.timetableNoDays) }
            guard (0..<1440).contains(entry.from), (0...1440).contains(entry.to) else {
                throw TransferError(.timetableHours)
            }
            guard entry.download ?? 1 > 0, entry.upload ?? 1 > 0 else {
                throw TransferError(.timetableZeroRate)
            }
        }
    }
}
