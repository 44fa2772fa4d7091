// SPDX-License-Identifier: MIT

import TransferModel

/// What will happen, in one line.
extension AddForm {
    var dialog: FormDialog {
        let (note, isWarning) = note
        return FormDialog(title: "Add", form: form, note: note, isWarning: isWarning, hints: hints)
    }

    private var hints: [String] {
        switch phase {
        case .asking: ["r replace", "k keep both", "s skip", "n newer", "Esc"]
        case .adding: ["Esc closes, the transfers are added"]
        case .editing, .checking: ["Enter add", "Tab field", "←→ choose", "Esc"]
        }
    }

    /// The line, and whether it needs attention.
    var note: (text: String, isWarning: Bool) {
        switch phase {
        case .adding: return ("adding…", false)
        case .checking: return ("which files exist? Enter adds without that", false)
        case .asking:
            let count = outlook?.existing ?? 0
            let one = "\(outlook?.existingName ?? "1 file") exists already:"
            return (count == 1 ? one : "\(count) files exist already; for all of them:", true)
        case .editing: break
        }
        if self[.addresses].text.isEmpty { return ("Enter adds what is typed or pasted here", false) }
        if form.hasErrors { return (offersFolder ? "Enter creates the folder" : "Enter tries again", false) }
        // The command line would miss an option.
        if case .at("") = request.start { return (Self.lacksTime, false) }
        // An error beside its field would say the same.
        if let problem = outlook?.problem { return (problem + (offersFolder ? "; Enter creates it" : ""), true) }
        let found = outlook.flatMap { $0.downloads + $0.uploads > 0 ? $0 : nil } ?? counted
        return (words(found), found.taken > 0 || found.skipped != nil)
    }

    /// Addresses and servers, without looking at any file.
    private var counted: AddOutlook {
        var outlook = AddOutlook()
        let request = request
        let addresses = request.addresses.split(whereSeparator: \.isWhitespace).filter {
            $0.hasPrefix("http://") || $0.hasPrefix("https://")
        }
        if request.files.isEmpty { outlook.downloads = addresses.count } else { outlook.uploads = request.files.count }
        outlook.servers = Set(addresses.map { $0.pathParts.dropFirst().first ?? "" }).count
        return outlook
    }

    private func words(_ outlook: AddOutlook) -> String {
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        guard outlook.downloads + outlook.uploads > 0 else { return "" }
        var parts: [String] = []
        if outlook.downloads > 0 { parts.append(count(outlook.downloads, "download")) }
        if outlook.uploads > 0 { parts.append(count(outlook.uploads, "upload")) }
        if let bytes = outlook.bytes { parts.append(ByteCount.short(Double(bytes))) }
        // One is named instead.
        let name = outlook.downloads == 1 && outlook.uploads == 0 ? outlook.name : nil
        if name == nil { parts.append(count(outlook.servers, "server")) }
        var text = parts.joined(separator: ", ") + (name.map { ": \($0)" } ?? "")
        if let existing = outlook.existing, existing > 0 {
            text += "; \(existing) \(existing == 1 ? "exists" : "exist"): "
            switch request.existing {
            case .ask: text += existing == 1 ? "ask" : "ask once"
            case .replace: text += "replaced"
            case .keepBoth: text += existing == 1 ? "kept, too" : "both kept"
            case .skip: text += "skipped"
            case .newer: text += "replaced if older"
            }
        }
        if let holder = outlook.holder {
            text += "; " + Self.taken(outlook.taken, of: outlook.downloads, holder)
        }
        return outlook.skipped.map { "\(text); \($0)" } ?? text
    }

    /// Whichever begins second would fail.
    private static func taken(_ count: Int, of downloads: Int, _ holder: TransferID) -> String {
        if count > 1 { return "\(count) of the files are in the queue already" }
        return downloads == 1 ? "\(holder) has this file already" : "\(holder) has one of the files already"
    }
}
