// SPDX-License-Identifier: MIT

import ArgumentParser
import FileServer
import Glibc
import Testing
import TransferModel

@testable import fileq

@Suite struct ServeSettingsTests {
    private func settings(_ words: [String]) throws -> FileServerConfiguration {
        let folder = try Folder()
        let command = try #require(Program.parse(["serve", folder.path] + words) as? ServeCommand)
        return try command.settings()
    }

    @Test func warnsAboutAPublicServer() throws {
        for host in ["127.0.0.1", "127.9.9.9", "::1", "localhost", "::ffff:127.0.0.1"] {
            #expect(ServeCommand.warnings(about: try settings(["--host", host])).isEmpty, "\(host)")
        }
        for host in ["0.0.0.0", "::", "10.0.0.1", "nas.local"] {
            var settings = try settings(["--host", host])
            var warnings = ServeCommand.warnings(about: settings)
            #expect(warnings.count == 2 && warnings[0].contains("--token-file"))
            #expect(warnings.last?.contains("--name HOST") == true)
            settings.names = ["nas.local"]
            warnings = ServeCommand.warnings(about: settings)
            #expect(warnings.count == 1 && warnings[0].contains("--token-file"))
            settings.names = []
            settings.token = "x"
            warnings = ServeCommand.warnings(about: settings)
            #expect(warnings.count == 1 && warnings[0].contains("unencrypted"))
            settings.tls = .init(certificatePath: "c", keyPath: "k")
            #expect(ServeCommand.warnings(about: settings).isEmpty)
        }
    }

    @Test func statesFolderAndHowToStop() throws {
        var settings = try settings([])
        #expect(
            ServeWords.started(settings, folder: "/srv/受信")
                == "serving /srv/受信, where clients can read and store files; Ctrl-C stops it")
        settings.token = "x"
        #expect(ServeWords.started(settings, folder: "/srv").contains("clients with the token"))
        #expect(ServeWords.stopping(settings).contains("10 s"))
    }

    @Test(
        arguments: [
            (.listening(EADDRINUSE), "--port"), (.listening(EACCES), "8080"), (.listening(EADDRNOTAVAIL), "--host"),
            (.address, "--host"), (.folder, "writable"), (.locked, "stop that server"), (.certificate, "--tls-cert"),
            (.listening(EINVAL), "fe80::1%eth0"), (.foreign, "chown"), (.foreign, "chmod"), (.foreign, "remove it"),
        ] as [(StartError.Cause, String)])
    func errorsSayWhatToDo(_ cause: StartError.Cause, _ advice: String) {
        let text = ServeWords.failed(StartError(cause, "it failed"))
        #expect(text.hasPrefix("it failed; ") && text.contains(advice))
    }

    @Test func parsesNamesAndHidden() throws {
        let given = try settings(["--name", "a.example", "--name", "b.example", "--hidden"])
        #expect(given.names == ["a.example", "b.example"] && given.listsHidden)
        #expect(given.limits.connectionsPerAddress == given.limits.connections)
        #expect(try settings(["--host", "0.0.0.0"]).limits.connectionsPerAddress == 256)
        for name in ["", "http://h", "h:80"] {
            let error = #expect(throws: TransferError.self) { try settings(["--name", name]) }
            #expect(error?.code == .usage && error?.message.hasPrefix("--name: ") == true)
        }
    }

    @Test(arguments: ["", "*"]) func aHostIsAnAddressOrAName(_ host: String) {
        let error = #expect(throws: TransferError.self) { try settings(["--host", host]) }
        #expect(error?.code == .usage && error?.message.contains("0.0.0.0") == true)
    }

    @Test func limitsOfUploadsAreTaken() throws {
        let limits = try settings(["--max-upload", "10G", "--upload-quota", "50G", "--upload-lifetime", "24"]).limits
        #expect(limits.uploadBytes == 10 << 30 && limits.unfinishedBytes == 50 << 30)
        #expect(limits.uploadLifetimeSeconds == 86_400)
        #expect(try settings([]).limits.unfinishedBytes == nil)
        for words in [["--upload-quota", "much"], ["--upload-lifetime", "0"], ["--upload-lifetime", "nan"]] {
            let error = #expect(throws: TransferError.self) { try settings(words) }
            #expect(error?.code == .usage && error?.message.hasPrefix("\(words[0]): ") == true)
        }
    }
}
