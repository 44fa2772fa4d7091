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
        let messages = LinkMessage.parse(bytes.array[...])
        try promise(messages.count <= bytes.count / 8 + 1, "\(messages.count) messages in \(bytes.count) bytes")
        var table = LinkTable()
        for message in messages { _ = table.apply(message) }
        for (index, link) in table.links {
            try promise(index == link.index && index > 0, "link \(link.index) is stored as \(index)")
            try promise(
                !link.name.isEmpty && link.name != ".." && link.name.utf8.count < 16
                    && !link.name.utf8.contains(UInt8(ascii: "/")),
                "not a name of a link: \(link.name.debugDescription)")
        }
        try promise(
            table.addresses.allSatisfy { $0.value.count <= LinkTable.maximumAddressesPerLink }, "too many addresses")
        let routes = table.routes.values.flatMap { $0 }
        try promise(routes.count <= LinkTable.maximumRoutes, "\(routes.count) routes")
        try promise(table.defaults == Set(routes.filter(\.isDefault)), "other default routes than those of the table")
        for route in routes {
            let bits = route.destination.family == .ipv4 ? 32 : 128
            try promise((0...bits).contains(route.length), "a route to \(route.length) of \(bits) bits")
        }
        // A dump of the same messages.
        var other = LinkTable(messages)
        _ = other.replace(with: table)
        try promise(other == table, "another table than the new one")
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
