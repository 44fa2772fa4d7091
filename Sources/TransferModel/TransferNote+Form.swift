// SPDX-License-Identifier: MIT

/// A note as it is written, in the store and on the wire: a code and the members that belong to it. For codecs alone.
package struct TransferNoteForm: Sendable, Hashable, Codable {
    package var code: String
    /// Of a restart.
    var cause: String?
    var error: TransferError?
    var host: String?
    /// The server that is asked instead of `host`.
    var next: String?
    var interfaces: [String]?
    /// `cellular`, `expensive` or `constrained`.
    var network: String?
    var file: String?
    var bytes: Int64?
    var from: Int64?
    var to: Int64?
    var coding: String?
    var isUp: Bool?
    var text: String?
    var question: ConsentQuestion?
    var transfer: TransferID?
    var state: TransferState?
    var notes: [TransferNoteForm]?

    private init(_ code: String) { self.code = code }

    /// - Returns: `nil` for notes that are sentences: those are in the member `reason`.
    package init?(_ note: TransferNote) {
        switch note {
        case .text, .failure: return nil
        case .question(let asked):
            self.init("question")
            question = asked
        case .network(let wait):
            guard let form = Self(wait) else { return nil }
            self = form
        case .restarted(let cause, let name, let length):
            self.init("restarted")
            write(cause)
            (file, bytes) = (name, name == nil ? nil : length)
        case .mirror(let failed, let next, let failure):
            self.init("mirror")
            (host, self.next, error) = (failed, next, failure)
        case .wrongMirror(let name):
            self.init("wrongMirror")
            host = name
        case .relocated: self.init("relocated")
        case .moved: self.init("moved")
        case .moving(let folder):
            self.init("moving")
            file = folder
        case .notResumable: self.init("notResumable")
        case .encoded(let name):
            self.init("encoded")
            coding = name
        case .leftBehind(let name, let length):
            self.init("leftBehind")
            (file, bytes) = (name, length)
        case .adopted(let offset):
            self.init("adopted")
            from = offset
        case .skipped: self.init("skipped")
        case .notModified: self.init("notModified")
        case .predecessor(let id, let ended):
            self.init("predecessor")
            (transfer, state) = (id, ended)
        case .several(let all):
            self.init("several")
            notes = all.map { Self($0) ?? Self(text: $0.text ?? "") }
        }
    }

    /// Among others.
    init(text: String) {
        self.init("text")
        self.text = text
    }

    /// `nil` for a code that is not known.
    package var note: TransferNote? {
        switch code {
        case "restarted": restartCause.map { .restarted($0, file: file, bytes: bytes ?? 0) }
        case "question": question.map(TransferNote.question)
        case "text": text.map(TransferNote.text)
        case "mirror": mirror
        case "wrongMirror": host.map(TransferNote.wrongMirror)
        case "relocated": .relocated
        case "moved": .moved
        case "moving": file.map(TransferNote.moving)
        case "notResumable": .notResumable
        case "encoded": coding.map(TransferNote.encoded)
        case "leftBehind": file.map { .leftBehind(file: $0, bytes: bytes ?? 0) }
        case "adopted": from.map { .adopted(at: $0) }
        case "skipped": .skipped
        case "notModified": .notModified
        case "predecessor": transfer.map { .predecessor($0, state) }
        case "several": notes.flatMap { forms in TransferNote.joined(forms.map(\.note)) }
        default: wait.map(TransferNote.network)
        }
    }
}

// MARK: Waits

extension TransferNoteForm {
    private init?(_ wait: PathWait) {
        switch wait {
        case .obstacle(let obstacle): self.init(obstacle)
        case .notAllowed(let reason, let name):
            self.init("notAllowed")
            (network, interfaces) = (reason.rawValue, [name])
        case .costPending(let name):
            self.init("costPending")
            interfaces = [name]
        case .silentResolver: self.init("silentResolver")
        case .reported: return nil
        }
    }

    private init(_ obstacle: PathObstacle) {
        switch obstacle {
        case .noInterface: self.init("noInterface")
        case .notConnected(let names):
            self.init("notConnected")
            interfaces = names
        case .noAddress(let names):
            self.init("noAddress")
            interfaces = names
        case .noRoute(let name, let down):
            self.init("noRoute")
            (host, interfaces) = (name, down.map { [$0] })
        case .routeDown(let name, let interface, let hasPower):
            self.init("routeDown")
            (host, interfaces, isUp) = (name, [interface], hasPower)
        case .interfaceMissing(let name):
            self.init("interfaceMissing")
            interfaces = [name]
        case .interfaceDown(let name):
            self.init("interfaceDown")
            interfaces = [name]
        case .interfaceNotConnected(let name):
            self.init("interfaceNotConnected")
            interfaces = [name]
        case .noRouteThrough(let name, let interface):
            self.init("noRouteThrough")
            (host, interfaces) = (name, [interface])
        }
    }

    private var wait: PathWait? {
        switch code {
        case "notAllowed":
            guard let reason = network.flatMap(NetworkUnavailableReason.init) else { return nil }
            return interfaces?.first.map { .notAllowed(reason, interface: $0) }
        case "costPending": return interfaces?.first.map { .costPending(interface: $0) }
        case "silentResolver": return .silentResolver
        default: return obstacle.map(PathWait.obstacle)
        }
    }

    private var obstacle: PathObstacle? {
        let first = interfaces?.first
        return switch code {
        case "noInterface": .noInterface
        case "notConnected": .notConnected(interfaces ?? [])
        case "noAddress": .noAddress(interfaces ?? [])
        case "noRoute": host.map { .noRoute(host: $0, down: first) }
        case "routeDown":
            host.flatMap { host in first.map { .routeDown(host: host, interface: $0, isUp: isUp ?? false) } }
        case "interfaceMissing": first.map(PathObstacle.interfaceMissing)
        case "interfaceDown": first.map(PathObstacle.interfaceDown)
        case "interfaceNotConnected": first.map(PathObstacle.interfaceNotConnected)
        case "noRouteThrough": host.flatMap { host in first.map { .noRouteThrough(host: host, interface: $0) } }
        default: nil
        }
    }
}

// MARK: Mirrors

extension TransferNoteForm {
    private var mirror: TransferNote? {
        guard let host, let next, let error else { return nil }
        return .mirror(failed: host, next: next, error)
    }
}

// MARK: Restarts

extension TransferNoteForm {
    private mutating func write(_ cause: RestartCause) {
        switch cause {
        case .changed: self.cause = "changed"
        case .sizeChanged(let old, let new): (self.cause, from, to) = ("sizeChanged", old, new)
        case .codingChanged: self.cause = "codingChanged"
        case .noRangesOrChanged: self.cause = "noRangesOrChanged"
        case .noRanges: self.cause = "noRanges"
        case .noBytes(let offset): (self.cause, from) = ("noBytes", offset)
        case .malformedContentRange: self.cause = "malformedContentRange"
        case .otherRange(let sent, let requested): (self.cause, from, to) = ("otherRange", requested, sent)
        case .contradictingLengths: self.cause = "contradictingLengths"
        case .unknownSize: self.cause = "unknownSize"
        case .unprovenVersion: self.cause = "unprovenVersion"
        case .otherAddress: self.cause = "otherAddress"
        case .noValidator: self.cause = "noValidator"
        case .notRecorded: self.cause = "notRecorded"
        case .notResumable: self.cause = "notResumable"
        case .failure(let failure): (self.cause, error) = ("failure", failure)
        }
    }

    private var restartCause: RestartCause? {
        switch cause {
        case "changed": .changed
        case "sizeChanged": .sizeChanged(from: from ?? 0, to: to ?? 0)
        case "codingChanged": .codingChanged
        case "noRangesOrChanged": .noRangesOrChanged
        case "noRanges": .noRanges
        case "noBytes": .noBytes(from: from ?? 0)
        case "malformedContentRange": .malformedContentRange
        case "otherRange": .otherRange(sent: to ?? 0, requested: from ?? 0)
        case "contradictingLengths": .contradictingLengths
        case "unknownSize": .unknownSize
        case "unprovenVersion": .unprovenVersion
        case "otherAddress": .otherAddress
        case "noValidator": .noValidator
        case "notRecorded": .notRecorded
        case "notResumable": .notResumable
        case "failure": error.map(RestartCause.failure)
        default: nil
        }
    }
}
