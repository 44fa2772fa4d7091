// SPDX-License-Identifier: MIT

/// Written as a note about the wait is. What is not known, as from another version, is read as ``reported(_:_:)``.
extension PathWait: Codable {
    public init(from decoder: any Decoder) throws {
        let form = try TransferNoteForm(from: decoder)
        if case .network(let wait)? = form.note {
            self = wait
        } else {
            self = .reported(form.text ?? "")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try (TransferNoteForm(.network(self)) ?? TransferNoteForm(text: message)).encode(to: encoder)
    }
}
