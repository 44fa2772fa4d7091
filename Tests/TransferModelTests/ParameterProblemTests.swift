// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@Suite struct ParameterProblemTests {
    private static let sentences: [(ParameterProblem, String)] = [
        (.init("n", .least, minimum: 1), "n: must be at least 1"),
        (.init("n", .range, from: 1, to: 9), "n: must be from 1 to 9"), (.init("n", .aboveZero), "n: must be above 0"),
        (.init("n", .seconds), "n: seconds must be above 0"), (.init("n", .time), "n: must be seconds since 1970"),
        (.init("n", .path), "n: the background service needs a path that begins with '/'"),
        (.init("n", .pathEnd), "n: the path must end in a name"),
        (.init(nil, .fileName), "a download into a folder needs a file name without '/'"),
        (.init(nil, .fileAndFolder), "a download goes either to a file or into a folder"),
        (.init("n", .interface), "n: the name is empty, or holds a blank or a control character"),
        (.init("n", .region), "n: the region is no name of one"),
        (.init("n", .partSize, minimum: 5 << 20, maximum: 5 << 30), "n: a part has from 5 MiB to 5 GiB"),
        (.init("n", .mirrors, from: 99, to: 8), "n: at most 8, with priorities from 1 to 99"),
        (.init("n", .pieces), "n: there must be one digest for each part of the file"),
        (.init("n", .body, upTo: 8), "n: write at most 8 bytes in hexadecimal digits"),
        (.init("n", .certificatePin), "n: the SHA-256 of a certificate has 64 hexadecimal digits"),
        (.init("n", .bounds), "n: 'from' is above 'to'"), (.init("n", .values, upTo: 8), "n: from 1 to 8 values"),
        (.init("n", .oneOf, choices: ["a", "b"]), "n: each has exactly one of a, b"),
        (.init(nil, .countedFilters, upTo: 8), "at most 8 filters are counted"),
        (.init(nil, .filters, upTo: 8), "a list has at most 8 filters"),
        (.init(nil, .filterBytes, upTo: 8), "the filters have at most 8 bytes together"),
        (.init(nil, .rows, upTo: 8), "before and after have at most 8 rows together, after at least 1"),
        (.init(nil, .lists, upTo: 8), "the lists of this connection exceed 8 bytes; add them in smaller ones"),
        (
            .init(nil, .listPart, minimum: 3),
            "list 3: a part before this one is missing; none of the list was added"
        ),
    ]

    @Test(arguments: sentences) func hasASentence(_ problem: ParameterProblem, _ text: String) {
        let error = TransferError(problem)
        #expect(error.message == text && error.code == .usage && error.fields.parameter == problem)
    }

    @Test func everyKindHasASentence() {
        let tested = Self.sentences.map(\.0.kind)
        #expect(Set(tested) == Set(ParameterProblem.Kind.allCases).subtracting([.unknown]))
    }

    @Test(arguments: sentences) func survivesCoding(_ problem: ParameterProblem, _ text: String) throws {
        let error = TransferError(problem)
        #expect(try JSONDecoder().decode(TransferError.self, from: JSONEncoder().encode(error)) == error)
    }

    @Test func readsKindsOfLaterVersions() throws {
        let json = Data(#"{"code":2,"message":"n: is odd","parameter":{"name":"n","kind":"odd"}}"#.utf8)
        let error = try JSONDecoder().decode(TransferError.self, from: json)
        #expect(error.fields.parameter?.kind == .unknown && error.fields.parameter?.message == nil)
        #expect(error.message == "n: is odd")
    }

    @Test func anotherSentenceDropsTheValue() {
        var error = TransferError(ParameterProblem("n", .time))
        error.message = "something else"
        #expect(error.fields.parameter == nil)
    }
}
