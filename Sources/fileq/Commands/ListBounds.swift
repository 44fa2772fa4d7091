// SPDX-License-Identifier: MIT

import TransferModel

/// Restricts the destinations of a list to the given folder: lists come from the web.
enum ListBounds {
    /// - Parameter folder: `-d`.
    /// - Throws: code `usage` for a destination outside, or a hidden one.
    static func check(_ listed: ListedOptions, folder: String) throws(TransferError) {
        guard listed.folder != nil || listed.output != nil else { return }
        let base = try parts(folder)
        var place = base
        if let folder = listed.folder { place = try inside(parts(folder), base, "dir", folder) }
        guard let output = listed.output else { return }
        _ = try inside(output.beginsWithSlash ? parts(output) : resolved(place, output), base, "out", output)
    }

    /// - Throws: code `usage` for a file to read that is outside, or hidden.
    static func check(source path: String, option: String, folder: String) throws(TransferError) {
        _ = try inside(parts(path), parts(folder), option, path)
    }

    private static func inside(
        _ place: [Substring], _ base: [Substring], _ option: String, _ text: String
    ) throws(TransferError) -> [Substring] {
        guard place.starts(with: base) else {
            throw TransferError(
                .usage, option: option, "'\(text)' is outside of the folder to save into; --allow-outside allows it")
        }
        guard !place.dropFirst(base.count).contains(where: { $0.hasPrefix(".") }) else {
            throw TransferError(.usage, option: option, "'\(text)' is a hidden file; --allow-outside allows it")
        }
        return place
    }

    /// Works on the absolute path without resolving links: links in the folder are its owner's.
    private static func parts(_ path: String) throws(TransferError) -> [Substring] {
        let start: [Substring] = path.beginsWithSlash ? [] : resolved([], try WorkingFolder.path())
        return resolved(start, path)
    }

    private static func resolved(_ start: [Substring], _ path: String) -> [Substring] {
        path.pathParts.reduce(into: start) { parts, part in
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
    }
}
