// SPDX-License-Identifier: MIT

import TransferModel

/// The dialog that changes transfers: its fields, prefilled, and what differs.
struct EditForm: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case editing
        /// The queue has been asked to change them.
        case saving
    }

    let ids: [TransferID]
    var form: Form
    private let initial: [Form.Field]
    private(set) var phase = Phase.editing
    /// Counts the changes: an outlook belongs to one of them.
    private(set) var serial = 0
    /// `nil`: not known yet.
    private(set) var outlook: EditOutlook?

    /// Stands for a choice that changes nothing.
    private static let unchanged = "as is"
    private static let priorities = ["low", "normal", "high"]

    /// - Parameters:
    ///   - transfers: at least one.
    ///   - machine: another one, whose folders are not shown.
    init(_ transfers: [Transfer], home: String?, clock: LocalClock, now: Double, machine: String? = nil) {
        ids = transfers.map(\.id)
        // Of several, only what they share is shown.
        let one = transfers.count == 1 ? transfers[0] : nil
        let (folder, name) = Self.parts(of: one?.file ?? "", home: home)
        let (several, asBefore) =
            one == nil ? ("\(transfers.count) transfers: as they are", "as they are") : ("", "as it is")
        var start = Form.Field("Start", choices: (one == nil ? [Self.unchanged] : []) + ["now", "at…"])
        start.typedChoice = start.choices.count - 1
        start.placeholder = "23:30"
        if let time = one?.earliestBegin, time > now {
            start.chosen = start.choices.count - 1
            start.setText(clock.typed(time))
        }
        start.isEnabled = transfers.contains { Self.waits($0.state) }
        start.isShown = start.isEnabled
        let usual = one.map { PriorityStep.word($0.priority ?? 0.5) }
        let steps = usual.map { Self.priorities.contains($0) ? [] : [$0] } ?? [Self.unchanged]
        var priority = Form.Field("Priority", choices: steps + Self.priorities)
        priority.chosen = usual.flatMap { priority.choices.firstIndex(of: $0) } ?? 0
        let limit = one?.rateLimit.map(RateText.editable) ?? ""
        var fields: [Form.Field] = [
            .init("Address", text: one.map { TransferURL.displayed($0.url) } ?? "", placeholder: several),
            .init("Name", text: name, placeholder: several),
            .init("Save in", text: folder, placeholder: one == nil ? asBefore : "", canPick: true),
            .init("If exists", choices: [Self.unchanged] + EditRequest.Existing.allCases.map(\.rawValue)),
            .init("Cookies", placeholder: "as they are; or a=1; b=2"), start, priority,
            .init("Limit", text: limit, placeholder: one == nil ? asBefore : "none"),
            .init("User", placeholder: asBefore), .init("Password", placeholder: asBefore),
        ]
        fields[EditField.password.rawValue].isHidden = true
        fields[EditField.folder.rawValue].pickHint = machine.map { "on \($0)" }
        let isDownload = transfers.contains { $0.kind == .download && $0.file != "-" }
        for field in [EditField.address, .name] { fields[field.rawValue].isEnabled = one != nil }
        let isUpload = transfers.allSatisfy { $0.kind == .upload }
        let missing: [EditField] = isDownload ? [] : [.name, .folder, .existing] + (isUpload ? [.cookies] : [])
        for field in missing { (fields[field.rawValue].isEnabled, fields[field.rawValue].isShown) = (false, false) }
        form = Form(fields: fields)
        initial = fields
        form.active = fields.firstIndex(where: \.isEnabled) ?? 0
    }

    /// Whether a transfer in this state can wait for a time.
    static func waits(_ state: TransferState) -> Bool {
        [.queued, .paused, .failed, .cancelled].contains(state)
    }

    private static func parts(of file: String, home: String?) -> (folder: String, name: String) {
        guard let folder = file.throughLastSlash else { return ("", file) }
        return (DisplayName.path(String(folder), home: home), String(file.afterLastSlash))
    }

    subscript(field: EditField) -> Form.Field {
        get { form.fields[field.rawValue] }
        set { form.fields[field.rawValue] = newValue }
    }

    var active: EditField { EditField(rawValue: form.active) ?? .address }

    private func isChanged(_ field: EditField) -> Bool {
        let (now, before) = (self[field], initial[field.rawValue])
        return now.isEnabled && (now.chosen != before.chosen || now.takesText && text(field) != before.text)
    }

    private func text(_ field: EditField) -> String { RateText.trimmed(self[field].text) }

    var request: EditRequest {
        var request = EditRequest(ids)
        if isChanged(.address) { request.address = text(.address) }
        if isChanged(.name) { request.name = text(.name) }
        if isChanged(.folder) || request.name != nil { request.folder = text(.folder) }
        if isChanged(.existing), self[.existing].chosen > 0 {
            request.existing = EditRequest.Existing.allCases[self[.existing].chosen - 1]
        }
        if isChanged(.cookies) { request.cookies = text(.cookies) }
        if isChanged(.start) {
            request.start = self[.start].takesText ? .at(text(.start)) : .now
        }
        if isChanged(.priority) { request.priority = self[.priority].choices[self[.priority].chosen] }
        if isChanged(.limit) { request.limit = text(.limit).isEmpty ? "none" : text(.limit) }
        if isChanged(.user) { request.user = text(.user) }
        if isChanged(.password) { request.password = self[.password].text }
        return request
    }

    // MARK: Events

    mutating func press(_ key: Key) -> Form.Event { form.press(key) }

    /// The text or choice of a field has changed.
    mutating func changed() {
        serial += 1
        outlook = nil
        phase = .editing
    }

    /// - Returns: what to change; `nil` if that cannot be, with the error beside its field.
    mutating func submitted() -> EditRequest? {
        let request = request
        if request.address?.isEmpty == true { return refuse("type an address", .address) }
        if let address = request.address, address.contains("…") {
            return refuse("a part of it is not shown: type or paste the whole address", .address)
        }
        if request.name?.isEmpty == true { return refuse("type a name", .name) }
        if request.name?.firstSlash != nil { return refuse("a name has no '/'; the folder is below", .name) }
        if request.folder?.isEmpty == true { return refuse("type a folder", .folder) }
        if request.user?.contains(":") == true { return refuse("a user name has no ':'", .user) }
        if request.password != nil, request.user == nil { return refuse("type the user name, too", .user) }
        if case .at("") = request.start { return refuse("type a time: 23:30, tomorrow 08:00 or +2h", .start) }
        phase = .saving
        return request
    }

    private mutating func refuse(_ text: String, _ field: EditField) -> EditRequest? {
        fail(text, field)
        return nil
    }

    mutating func outlookArrived(_ new: EditOutlook, _ serial: Int) {
        guard serial == self.serial else { return }
        outlook = new
    }

    /// An error beside its field.
    mutating func fail(_ text: String, _ field: EditField?) {
        phase = .editing
        let field = field.flatMap { self[$0].isEnabled ? $0 : nil } ?? active
        self[field].error = text
        form.active = field.rawValue
    }

    /// Takes what was picked.
    mutating func take(_ text: String) {
        form.fields[form.active].setText(text)
        changed()
    }
}
