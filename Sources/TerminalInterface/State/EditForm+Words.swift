// SPDX-License-Identifier: MIT

import TransferModel

/// What will happen, before Enter.
extension EditForm {
    /// - Parameter transfers: as they are now.
    func dialog(_ transfers: [Transfer], retry: String) -> FormDialog {
        let hints =
            phase == .saving
            ? ["Esc closes, the change is made"] : ["Enter save", "Tab field", "←→ choose", "Esc"]
        let (note, isWarning) = note(transfers, retry)
        let one = ids.count == 1 ? transfers.first : nil
        let title = one != nil ? "Edit" : ids.count == 1 ? "Edit \(ids[0])" : "Edit \(ids.count) transfers"
        return FormDialog(
            title: title, transfer: one, form: form, note: note, isWarning: isWarning, hints: hints)
    }

    private func note(_ transfers: [Transfer], _ retry: String) -> (text: String, isWarning: Bool) {
        if phase == .saving { return ("saving…", false) }
        // An error beside its field says the same.
        if let problem = outlook?.problem, !form.hasErrors { return (problem, true) }
        let request = request
        if request.isEmpty { return ("nothing is changed yet", false) }
        // What is refused will not happen.
        if form.hasErrors { return ("Enter tries again", false) }
        var parts = relocation(request, transfers)
        switch request.start {
        case nil: break
        case .now: parts.append("starts as soon as it may")
        case .at(let time): parts.append("starts \(time.isEmpty ? "at …" : "at \(time)")")
        }
        if let priority = request.priority { parts.append("\(priority) priority") }
        if let limit = request.limit { parts.append(limit == "none" ? "no limit" : "at most \(limit)/s") }
        if request.isRelocation, transfers.contains(where: { $0.state == .running }) {
            parts.append(ids.count == 1 ? "begins another attempt" : "a running one begins another attempt")
        }
        let retried = request.failed(of: transfers).count
        if retried > 0 {
            parts.append(ids.count == 1 ? "retries it" : "retries \(retried) that failed")
        } else if transfers.contains(where: { $0.state == .failed || $0.state == .cancelled }) {
            parts.append("\(retry) retries")
        }
        let resumed = request.answered(of: transfers).count
        if resumed > 0 { parts.append(ids.count == 1 ? "resumes it" : "resumes \(resumed) that ask for it") }
        return (parts.joined(separator: "; "), outlook?.exists == true)
    }

    private func relocation(_ request: EditRequest, _ transfers: [Transfer]) -> [String] {
        var parts: [String] = []
        let bytes = transfers.reduce(0) { $0 + ($1.kind == .download ? $1.bytes : 0) }
        if let address = request.address, let old = transfers.first.flatMap({ try? TransferURL($0.url) }) {
            let new = try? TransferURL(address)
            let resumes = bytes > 0 ? "continues at \(ByteCount.short(Double(bytes))) if the file is the same" : nil
            if let new, new.origin != old.origin {
                parts.append("asks \(new.authority), without login and cookies of \(old.authority)")
                if let resumes { parts.append(resumes) }
            } else {
                parts.append(resumes ?? "asks the new address")
            }
        }
        if let folder = request.folder {
            let place = folder.endsWithSlash ? folder : folder + "/"
            let file = ids.count == 1 ? place + (request.name ?? RateText.trimmed(self[.name].text)) : place
            parts.append((bytes > 0 ? "moves \(ByteCount.short(Double(bytes))) to " : "saves as ") + file)
            if outlook?.exists == true, request.existing == nil { parts.append("which exists already") }
        }
        switch request.existing {
        case nil: break
        case .fail: parts.append("fails where the file exists")
        case .replace: parts.append("replaces an existing file")
        case .skip: parts.append("skips an existing file")
        case .newer: parts.append("replaces an older file")
        case .keepBoth: parts.append("keeps an existing file, and takes the next free name")
        }
        if request.cookies != nil { parts.append("replaces the cookies") }
        if let user = request.user {
            parts.append("logs in as \(user)" + (request.password == nil ? " with the password of netrc" : ""))
        }
        return parts
    }
}
