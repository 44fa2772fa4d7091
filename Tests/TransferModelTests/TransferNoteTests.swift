// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import TransferModel

@Suite struct TransferNoteTests {
    private static let question = ConsentQuestion.login(
        .init(host: "a.test", port: 80, scheme: "http", method: "basic"))
    private static let causes: [RestartCause] = [
        .changed, .sizeChanged(from: 1, to: 2), .codingChanged, .noRangesOrChanged, .noRanges, .noBytes(from: 3),
        .unprovenVersion, .malformedContentRange, .otherRange(sent: 4, requested: 5), .contradictingLengths,
        .unknownSize, .otherAddress,
        .noValidator, .notRecorded, .notResumable, .failure(TransferError(.rangeRefused, "h: no")),
    ]
    private static let obstacles: [PathObstacle] = [
        .noInterface, .notConnected(["a", "b"]), .noAddress(["a"]), .noRoute(host: "h", down: nil),
        .noRoute(host: "h", down: "a"), .routeDown(host: "h", interface: "a", isUp: true),
        .routeDown(host: "h", interface: "a", isUp: false), .interfaceMissing("a"), .interfaceDown("a"),
        .interfaceNotConnected("a"), .noRouteThrough(host: "h", interface: "a"),
    ]
    static let notes: [TransferNote] =
        causes.map { .restarted($0, file: "a.fileq-part", bytes: 7) } + [.restarted(.changed)]
        + obstacles.map { .network(.obstacle($0)) }
        + [
            .network(.notAllowed(.constrained, interface: "a")), .network(.costPending(interface: "a")),
            .network(.silentResolver), .question(question),
            .mirror(failed: "a.test", next: "b.test:81", TransferError(.httpStatus, "a.test: returned 404")),
            .wrongMirror("a.test"), .relocated, .moved, .moving(to: "/a"), .notResumable, .encoded("gzip"),
            .leftBehind(file: "a", bytes: 1), .adopted(at: 2), .skipped, .notModified,
            .predecessor(TransferID(rawValue: 3), .failed), .predecessor(TransferID(rawValue: 3), nil),
            .several([.restarted(.changed, file: "a", bytes: 2), .text("more"), .notResumable]),
        ]

    @Test(arguments: [
        (5, "the server sent bytes from 4 instead of those from 5"),
        (4, "the bytes that the server sent from 4 on end elsewhere than those requested"),
    ]) func otherBytesAreNotSaidToBeThoseRequested(_ requested: Int64, _ text: String) {
        #expect(RestartCause.otherRange(sent: 4, requested: requested).message == text)
    }

    @Test(arguments: notes) func isReadAsWritten(_ note: TransferNote) throws {
        let form = try #require(TransferNoteForm(note))
        let read = try JSONDecoder().decode(TransferNoteForm.self, from: JSONEncoder().encode(form))
        #expect(read.note == note)
    }

    /// As written by this version; stored records hold it.
    @Test(arguments: [
        (
            TransferNote.restarted(.sizeChanged(from: 1, to: 2), file: "a", bytes: 3),
            #"{"bytes":3,"cause":"sizeChanged","code":"restarted","file":"a","from":1,"to":2}"#
        ),
        (
            .network(.obstacle(.noRoute(host: "h", down: "wlan0"))),
            #"{"code":"noRoute","host":"h","interfaces":["wlan0"]}"#
        ),
        (
            .network(.notAllowed(.expensive, interface: "a")),
            #"{"code":"notAllowed","interfaces":["a"],"network":"expensive"}"#
        ),
        (
            .several([.encoded("br"), .notResumable]),
            #"{"code":"several","notes":[{"code":"encoded","coding":"br"},{"code":"notResumable"}]}"#
        ),
    ]) func theWrittenFormStays(_ note: TransferNote, _ json: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let form = try #require(TransferNoteForm(note))
        #expect(String(decoding: try encoder.encode(form), as: UTF8.self) == json)
    }

    @Test(arguments: [
        #"{"code":"of a later version"}"#, #"{"code":"restarted","cause":"of a later version"}"#,
        #"{"code":"notAllowed","network":"lunar","interfaces":["a"]}"#, #"{"code":"encoded"}"#,
    ]) func ofUnknownNotesTheTextRemains(_ json: String) throws {
        var form = TransferForm(id: TransferID(rawValue: 1), kind: .download, url: "u", file: "f", state: .waiting)
        form.reason = "why"
        form.note = try JSONDecoder().decode(TransferNoteForm.self, from: Data(json.utf8))
        #expect(Transfer(form).note == .text("why"))
    }

    @Test func sentencesAreWrittenAsReason() throws {
        let error = TransferError(.cannotConnect, "h: refused")
        for (status, reason) in [
            (TransferStatus.queued(.text("why")), "why"), (.retrying(at: 1, .failure(error)), "h: refused"),
            (.waiting(NetworkWait(.silentResolver)), "the name server does not respond"), (.queued(.relocated), nil),
        ] as [(TransferStatus, String?)] {
            let transfer = Transfer(
                id: TransferID(rawValue: 1), kind: .download, url: "u", file: "f", status: status)
            #expect(TransferForm(transfer).reason == reason)
            #expect(Transfer(TransferForm(transfer)) == transfer)
        }
    }

    @Test func wordsOfAProgramReplaceThem() throws {
        let words = TransferWords(reason: { _ in "why" }, advice: { _ in "do this" })
        let transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "u", file: "f",
            status: .waiting(NetworkWait(.silentResolver)))
        let form = TransferForm(transfer, words)
        #expect(form.reason == "why" && form.advice == "do this")
        #expect(Transfer(form) == transfer)
    }

    @Test func saysWhereNothingResumes() {
        #expect(TransferNote.notResumable.deniesResuming)
        #expect(TransferNote.several([.encoded("br"), .leftBehind(file: "a", bytes: 1)]).deniesResuming)
        #expect(!TransferNote.several([.restarted(.notResumable), .relocated]).deniesResuming)
    }

    @Test func joinsWhatIsThere() {
        #expect(TransferNote.joined([nil, nil]) == nil)
        #expect(TransferNote.joined([nil, .skipped]) == .skipped)
        #expect(
            TransferNote.joined([.several([.skipped, .relocated]), .notResumable])
                == .several([.skipped, .relocated, .notResumable]))
    }
}
