// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// The commands that do what the form for editing holds.
struct EditWords {
    let request: EditRequest
    /// Stands for `~`.
    var home: String?

    /// Each after `fileq`: first what a server or a folder may refuse.
    var commands: [[String]] {
        let relocation = relocation
        var commands = relocation.isEmpty ? [] : [["relocate", CommandText.selection(request.ids)] + relocation]
        let terms = terms
        if !terms.isEmpty { commands.append(["set", CommandText.selection(request.ids)] + terms) }
        if !request.resumes.isEmpty { commands.append(["resume", CommandText.selection(request.resumes)]) }
        return commands
    }

    /// Commands of the queue, each of which is undone for itself.
    var steps: Int {
        (relocation.isEmpty ? 0 : request.ids.count) + terms.count + (request.resumes.isEmpty ? 0 : 1)
    }

    /// For the log: without what may be secret.
    func shownLine() -> String? {
        let lines = shownCommands.map { words in
            words.map { $0 == Self.cookie ? $0 : ShellWord.text($0) }.joined(separator: " ")
        }
        return lines.isEmpty ? nil : lines.joined(separator: " && fileq ")
    }

    private static let cookie = "--cookie=…"

    /// ``commands`` without what may be secret. In a shell, `--user=NAME` asks for the password.
    var shownCommands: [[String]] {
        commands.map { words in
            words.map { word in
                if word.hasPrefix("--cookie=") { return Self.cookie }
                if word.hasPrefix("--user=") { return String(word.prefix { $0 != ":" }) }
                guard word.hasPrefix("--url=") else { return word }
                let typed = String(word.dropFirst(6))
                return "--url=" + TransferURL.displayed((try? TransferURL(typed))?.string ?? typed)
            }
        }
    }

    private var relocation: [String] {
        var words: [String] = []
        if let address = request.address { words.append("--url=\(address)") }
        if let file { words.append("--output=\(file)") } else if let folder { words.append("--directory=\(folder)") }
        if let existing = request.existing { words.append("--if-exists=\(existing.rawValue)") }
        words += cookies.map { "--cookie=\($0)" }
        if let user = request.user { words.append("--user=\(user)" + (request.password.map { ":\($0)" } ?? "")) }
        return words
    }

    private var terms: [String] {
        var words: [String] = []
        if let priority = request.priority { words.append("--priority=\(priority)") }
        if let limit = request.limit { words.append("--limit=\(limit)") }
        switch request.start {
        case nil: break
        case .now: words.append("--at=now")
        case .at(let time): words.append("--at=\(time)")
        }
        return words
    }

    /// `a=1; b=2`, or a file.
    private var cookies: [String] {
        guard let text = request.cookies else { return [] }
        if text.hasPrefix("@") { return ["@" + expanded(String(text.dropFirst()))] }
        return text.split(separator: ";").map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
    }

    var folder: String? { request.folder.map(expanded) }

    /// With another name.
    var file: String? {
        guard let name = request.name, let folder else { return nil }
        return folder.endsWithSlash ? folder + name : "\(folder)/\(name)"
    }

    private func expanded(_ path: String) -> String { HomePath.expanded(path, home: home) }

    /// The field that an error is about.
    static func field(of error: any Error) -> EditField? {
        guard let error = error as? TransferError else { return nil }
        switch error.fields.option {
        case "url": return .address
        case "output": return .name
        case "directory", "d": return .folder
        case "if-exists": return .existing
        case "cookie", "b": return .cookies
        case "user": return .user
        case "password-file": return .password
        case "at": return .start
        case "priority": return .priority
        case "limit": return .limit
        default: break
        }
        return switch error.code {
        case .malformedURL: .address
        case .cannotWrite, .folderNotResponding: .folder
        default: nil
        }
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
