// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@Suite struct SecretTests {
    private struct Login: Codable, Equatable {
        var user: String
        @Secret var password: String
        var tokens: [Secret]
    }

    private static let login = Login(user: "me", password: "hunter2", tokens: [Secret("a"), Secret("b")])

    private static func text(_ coding: SecretCoding?, _ value: some Encodable = login) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        if let coding { encoder.userInfo[.secrets] = coding }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func read(_ text: String, _ coding: SecretCoding? = nil) throws -> Login {
        let decoder = JSONDecoder()
        if let coding { decoder.userInfo[.secrets] = coding }
        return try decoder.decode(Login.self, from: Data(text.utf8))
    }

    @Test func vaultsStoreTheValues() throws {
        let vault = SecretVault()
        let text = try Self.text(.vault(vault))
        #expect(
            text
                == #"{"password":{"secret":"password"},"tokens":[{"secret":"tokens.0"},{"secret":"tokens.1"}],"#
                + #""user":"me"}"#
        )
        let values = vault.take()
        #expect(values["tokens.1"] == "b")
        #expect(vault.take().isEmpty)
        #expect(try Self.read(text, .vault(SecretVault(values))) == Self.login)
    }

    @Test func redactedHidesThem() throws {
        let text = try Self.text(.redacted)
        #expect(text == #"{"password":{"hidden":true},"tokens":[{"hidden":true},{"hidden":true}],"user":"me"}"#)
        #expect(throws: DecodingError.self) { try Self.read(text) }
    }

    @Test func plainWritesThem() throws {
        let text = try Self.text(.plain)
        #expect(text == #"{"password":"hunter2","tokens":["a","b"],"user":"me"}"#)
        #expect(try Self.read(text) == Self.login)
    }

    @Test func encodingThrowsWithoutAMode() throws {
        let error = #expect(throws: EncodingError.self) { try Self.text(nil) }
        #expect(!String(reflecting: error).contains("hunter2"))
    }

    @Test func namesAMissingValue() throws {
        let text = try Self.text(.vault(SecretVault()))
        let error = #expect(throws: MissingSecret.self) { try Self.read(text, .vault(SecretVault())) }
        #expect(error?.reference == "password")
    }

    @Test func printsNothing() throws {
        var values = SecretValues()
        values["password"] = "hunter2"
        let url = try TransferURL("http://u:hunter2@a.test/")
        let shown: [Any] = [
            values, Secret("hunter2"), Self.login, Credential(user: "u", password: "hunter2"), url,
            try Cookie(name: "a", value: "hunter2"),
        ]
        for value in shown {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("hunter2"), "\(type(of: value))")
            }
        }
    }

    @Test(arguments: ["http://host.test/a", "https://u%40:p%2F@host.test:444/x?q", "http://u@[::1]:8080/"])
    func anAddressKeepsItsUserInformation(_ text: String) throws {
        let url = try TransferURL(text)
        let vault = SecretVault()
        for (coding, values) in [(SecretCoding.plain, nil), (.vault(vault), vault)] {
            let json = try Self.text(coding, [url])
            let decoder = JSONDecoder()
            if let values { decoder.userInfo[.secrets] = SecretCoding.vault(SecretVault(values.take())) }
            #expect(try decoder.decode([TransferURL].self, from: Data(json.utf8)) == [url])
        }
    }
}
