// SPDX-License-Identifier: MIT

import ArgumentParser
@testable import fileq
import Testing

/// A command is parsed alone; what is not one is parsed with the tree of all commands.
@Suite struct ProgramTests {
    @Test(arguments: [
        ["get", "-q", "http://a.test/x"], ["wait", "1"], ["list"], ["add", "get", "http://a.test/x"],
        ["add", "http://a.test/x"], ["add", "curl", "-L", "http://a.test/x"],
        ["service", "status"], [],
    ])
    func parsesAsTheTree(_ words: [String]) throws {
        let (alone, tree) = (try Program.parse(words), try FileqCommand.parseAsRoot(words))
        #expect(type(of: alone) == type(of: tree))
    }

    @Test(arguments: ["get", "put", "wait", "set", "generate"]) func helpNamesTheProgram(_ name: String) throws {
        var command = try Program.parse([name, "--help"])
        let error = try #require(throws: (any Error).self) { try command.run() }
        #expect(FileqCommand.fullMessage(for: error).contains("USAGE: fileq \(name) "))
    }

    @Test func errorsNameTheProgram() throws {
        let error = try #require(throws: (any Error).self) { try Program.parse(["get", "--nope"]) }
        #expect(FileqCommand.fullMessage(for: error).contains("Usage: fileq get"))
    }
}
