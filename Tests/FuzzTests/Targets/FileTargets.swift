// SPDX-License-Identifier: MIT

import FoundationEssentials
@testable import NetworkPath
@testable import SessionCore
@testable import TransferControl
@testable import TransferModel

extension FuzzTarget {
    /// Records on disk, messages of the kernel.
    static let files = [
        FuzzTarget("records", records), FuzzTarget("netlink", netlink), FuzzTarget("filters", filters),
    ]

    private static func records(_ bytes: Bytes) throws {
        let data = Data(bytes)
        if let resume = try? ResumeData(decoding: data) {
            try promise((try? ResumeData(decoding: resume.encoded())) == resume, "the resume data changes")
        }
        if let point = try? JSONDecoder().decode(UploadPoint.self, from: data) {
            let again = try JSONDecoder().decode(UploadPoint.self, from: JSONEncoder().encode(point))
            try promise(again == point, "the place of an upload changes")
        }
        _ = try? JSONDecoder().decode(Checkpoint.self, from: data)
        // Its input is valid UTF-8.
        guard String(validating: bytes, as: UTF8.self) != nil, let found = SpecText.read(bytes) else { return }
        var written: [UInt8] = []
        guard SpecText.append(found.spec, version: found.version, to: &written) else { return }
        let again = written.withUnsafeBytes { SpecText.read($0) }
        try promise(again?.spec == found.spec && again?.version == found.version, "the spec changes")
    }

    private static func netlink(_ bytes: Bytes) throws {
        _ = LinkMessage.parse(bytes.array[...])
    }

    private static func filters(_ bytes: Bytes) throws {
        let text = bytes.text
        for word in text.split(separator: "\n").prefix(8) {
            _ = try? QueueFilter.Term(parsing: String(word), now: 1_700_000_000)
        }
        if let table = try? LimitTimetable(text) {
            for minute in stride(from: 0, to: 7 * 24 * 60, by: 97) {
                _ = (table.entry(atMinute: minute), table.minutesUntilChange(after: minute))
            }
        }
        let parts = text.split(separator: "\n", maxSplits: 1)
        if parts.count == 2, let pattern = try? GlobPattern(String(parts[0])) {
            _ = pattern.fits(parts[1])
            try promise(pattern.fits("") == pattern.text.allSatisfy { $0 == "*" }, "fits nothing: \(pattern.text)")
        }
    }
}
