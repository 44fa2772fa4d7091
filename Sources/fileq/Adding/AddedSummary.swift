// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// Output of `add` on a terminal: `queued 9  disk.iso → ~/isos/disk.iso (at 23:58)`.
struct AddedSummary {
    let glyphs: TerminalGlyphs
    /// The user's home folder, shown as `~`.
    let home: String?
    let local: LocalTime

    /// - Parameters:
    ///   - begin: earliest start, seconds since 1970.
    ///   - now: seconds since 1970.
    func line(
        for description: Spec, id: TransferID, begin: Double?, after: [TransferID]? = nil, isPaused: Bool, now: Double
    ) -> String {
        let (name, place) = ends(of: description)
        var text = "queued \(id)  \(glyphs.shown(name)) \(glyphs.arrow) \(glyphs.shown(place))"
        if isPaused {
            text += " (paused)"
        } else if let begin, begin > now {
            text += " (at \(time(begin, now: now)))"
        } else if let after {
            text += " (after \(TransferID.list(after)))"
        }
        return text
    }

    private func ends(of description: Spec) -> (name: String, place: String) {
        switch description.operation {
        case .download(let download):
            let name = description.url.lastPathSegment ?? description.url.host
            return switch download.destination {
            case .file(let path): (name, shortened(path))
            case .folder(let folder, let proposed):
                (name, shortened(folder.endsWithSlash ? folder + proposed : "\(folder)/\(proposed)"))
            case .stream: (name, "-")
            }
        case .upload(let upload):
            let name =
                switch upload.source {
                case .file(let path): path.lastPathPart.map(String.init) ?? path
                case .stream(_, let name): name
                }
            return (name, description.url.displayString)
        }
    }

    private func shortened(_ path: String) -> String {
        guard let home, home.count > 1, path == home || path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }

    /// `23:58`, on another day `2026-12-24 08:00`, in local time.
    private func time(_ moment: Double, now: Double) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let day = local.day(moment)
        let seconds = Int(moment - (local.seconds(day, 0) ?? moment))
        let clock = "\(two(seconds / 3600)):\(two(seconds / 60 % 60))"
        return day == local.day(now) ? clock : "\(day.year)-\(two(day.month))-\(two(day.day)) \(clock)"
    }
}
