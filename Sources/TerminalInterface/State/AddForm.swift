// SPDX-License-Identifier: MIT

import TransferModel

/// The dialog that adds transfers: its fields, and what they would add.
struct AddForm: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case editing
        /// Enter was pressed; which files exist is not known yet.
        case checking
        /// Files exist; one key says what to do with all of them.
        case asking
        /// The queue has been asked to add them.
        case adding
    }

    var form: Form
    /// Of ``Form/fields``; the usual one.
    private let folder: String
    private(set) var phase = Phase.editing
    /// Counts the changes: an outlook belongs to one of them.
    private(set) var serial = 0
    /// `nil`: not known yet.
    private(set) var outlook: AddOutlook?
    /// The form says that the folder does not exist, and that Enter creates it.
    private(set) var offersFolder = false

    /// - Parameters:
    ///   - folder: where downloads go unless another one is typed.
    ///   - machine: another one, which is not sent files from here.
    init(addresses: String = "", folder: String, machine: String? = nil) {
        self.folder = folder
        form = Form(fields: [
            .init("Address", placeholder: "https://…, several, or a curl line", hasLines: true),
            .init("Files", placeholder: "none: a download", canPick: true, hasLines: true),
            .init("Save in", text: folder, canPick: true),
            .init("If exists", choices: AddRequest.Existing.allCases.map(\.rawValue)),
            .init("Start", choices: ["now", "at…", "paused"], typedChoice: 1),
            .init("Priority", choices: ["low", "normal", "high"], chosen: 1),
            .init("Limit", placeholder: "none"),
            .init("Checksum", placeholder: "none"),
        ])
        form.fields[AddField.start.rawValue].placeholder = "23:30"
        if let machine {
            let files = AddField.files.rawValue
            (form.fields[files].isShown, form.fields[files].isEnabled) = (false, false)
            form.fields[AddField.folder.rawValue].pickHint = "on \(machine)"
        }
        if !addresses.isEmpty { _ = form.press(.paste(addresses)) }
        adapt()
    }

    subscript(field: AddField) -> Form.Field {
        get { form.fields[field.rawValue] }
        set { form.fields[field.rawValue] = newValue }
    }

    var active: AddField { AddField(rawValue: form.active) ?? .addresses }

    var request: AddRequest {
        var request = AddRequest()
        request.addresses = Self.trimmed(self[.addresses].text)
        request.files = Self.lines(self[.files].text)
        let place = Self.trimmed(self[.folder].text)
        request.folder = place == folder || place.isEmpty ? nil : place
        request.existing = AddRequest.Existing.allCases[self[.existing].chosen]
        switch self[.start].chosen {
        case 1: request.start = .at(Self.trimmed(self[.start].text))
        case 2: request.start = .paused
        default: break
        }
        request.priority = self[.priority].chosen == 1 ? nil : self[.priority].choices[self[.priority].chosen]
        request.limit = Self.optional(self[.limit].text)
        request.checksum = Self.optional(self[.checksum].text)
        return request
    }

    static let lacksTime = "type a time: 23:30, tomorrow 08:00 or +2h"

    // MARK: Events

    /// Addresses that are pasted behind others are further ones.
    mutating func press(_ key: Key) -> Form.Event {
        guard case .paste(let text) = key, active == .addresses, text.hasPrefix("http"),
            let last = self[.addresses].editor.before.last, !last.isWhitespace, last != "'", last != "\""
        else { return form.press(key) }
        return form.press(.paste("\n" + text))
    }

    /// The text or choice of a field has changed.
    mutating func changed() {
        serial += 1
        outlook = nil
        offersFolder = false
        phase = .editing
        adapt()
    }

    /// What Enter leads to.
    enum Submission: Hashable { case refused, waits, asks, add(AddRequest) }

    mutating func submitted() -> Submission {
        var request = request
        request.createsFolder = offersFolder
        if request.addresses.isEmpty {
            fail("type or paste an address", .addresses)
            return .refused
        }
        if case .at("") = request.start {
            fail(Self.lacksTime, .start)
            return .refused
        }
        // A folder that does not respond holds nothing up: the second Enter adds.
        if request.existing == .ask, request.files.isEmpty, phase != .checking {
            guard let outlook else {
                phase = .checking
                return .waits
            }
            if outlook.existing ?? 0 > 0 {
                phase = .asking
                return .asks
            }
        }
        phase = .adding
        return .add(request)
    }

    /// - Returns: what to add, if Enter waited for this.
    mutating func outlookArrived(_ new: AddOutlook, _ serial: Int) -> AddRequest? {
        guard serial == self.serial else { return nil }
        outlook = new
        offersFolder = new.missesFolder
        guard phase == .checking else { return nil }
        phase = .editing
        // Enter was pressed before the form said so.
        guard !offersFolder, case .add(let request) = submitted() else { return nil }
        return request
    }

    /// A key while files exist; `nil`: the question is closed.
    mutating func answered(_ key: Key) -> AddRequest? {
        phase = .editing
        guard case .character(let letter) = key,
            let answer = AddRequest.Existing.allCases.first(where: { $0 != .ask && $0.key == letter })
        else { return nil }
        self[.existing].chosen = AddRequest.Existing.allCases.firstIndex(of: answer) ?? 0
        phase = .adding
        return request
    }

    /// An error beside its field.
    mutating func fail(_ text: String, _ field: AddField?) {
        phase = .editing
        let field = field ?? .addresses
        self[field].error = text
        if self[field].isEnabled { form.active = field.rawValue }
    }

    /// The folder does not exist: the next Enter creates it.
    mutating func missesFolder(_ text: String) {
        fail(text, .folder)
        offersFolder = true
    }

    /// Takes what was picked.
    mutating func take(_ text: String) {
        form.fields[form.active].setText(text)
        changed()
    }

    /// What follows from other fields.
    private mutating func adapt() {
        let isUpload = !Self.lines(self[.files].text).isEmpty
        for field in [AddField.folder, .existing] { self[field].isEnabled = !isUpload }
        let addresses = self[.addresses].text.split(whereSeparator: \.isWhitespace)
        let isList = addresses.count > 1 && addresses.allSatisfy { $0.contains("://") }
        self[.addresses].summary = isList ? "\(addresses[0]), \(addresses.count - 1) more" : nil
        let files = Self.lines(self[.files].text)
        let name = files.first.map { $0.lastPathPart.map(String.init) ?? $0 }
        self[.files].summary = files.count > 1 ? name.map { "\($0), \(files.count - 1) more" } : nil
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { trimmed(String($0)) }.filter { !$0.isEmpty }
    }

    private static func optional(_ text: String) -> String? {
        let text = trimmed(text)
        return text.isEmpty || text == "none" ? nil : text
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\n" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}

extension AddRequest.Existing {
    /// Answers the question what to do with all that exist.
    var key: Unicode.Scalar { rawValue.unicodeScalars.first ?? "?" }
}
