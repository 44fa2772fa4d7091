// SPDX-License-Identifier: MIT

import FoundationEssentials
import SessionCore
import Testing
import TransferControl
import TransferTesting

@testable import FileQTransfer

@Suite struct TaskDescriptionTests {
    @Test func containsNoSecrets() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        var options = TransferOptions()
        options.headers = [
            HTTPField(name: .authorization, value: "Bearer s3cret"), HTTPField(name: .accept, value: "text/html"),
        ]
        options.credential = Credential(user: "me", password: "s3cret")
        let url = try TransferURL("https://me:s3cret@example.org/a")
        let task = run.session.downloadTask(with: TransferRequest(url: url, options: options))
        task.taskDescription = "mine"
        task.resume()
        try await run.session.waitUntilStored()
        let added = try #require(stage.service.added.first)
        let text = try #require(added.terms.taskDescription)
        #expect(!text.contains("s3cret"))
        #expect(text.contains("text/html"))
        // They go the other way, where the service keeps secrets apart.
        #expect(added.description.options.credential?.password == "s3cret")
        #expect(added.description.url.credential?.password == "s3cret")
        let words = try #require(TaskDescription(text))
        #expect(TaskDescription(words.text) == words)
        #expect(words.description == "mine")
    }

    @Test(arguments: [
        "", "{}", "words", #"{"version":1,"task":0,"token":"a","method":"GET"}"#,
        #"{"version":1,"task":9223372036854775807,"token":"a","method":"GET"}"#,
    ])
    func ignoresForeignDescriptions(_ text: String) { #expect(TaskDescription(text) == nil) }

    @Test func identifiersBelongToOneTask() {
        func transfer(_ id: Int, _ words: String?) -> Transfer {
            var transfer = Transfer(
                id: TransferID(rawValue: id), kind: .download, url: "https://example.org/\(id)", file: "/x",
                state: .running)
            transfer.taskDescription = words
            return transfer
        }
        func words(_ task: Int) -> String { #"{"version":1,"task":\#(task),"token":"t","method":"GET"}"# }
        var broken = transfer(5, words(40))
        broken.url = "nothing"
        let found = Findings(
            events: [], transfers: [transfer(1, words(7)), transfer(2, words(7)), transfer(3, nil), broken])
        let (tasks, next) = found.tasks()
        #expect(tasks.map(\.identifier) == [7, 41, 42])
        #expect(tasks.map(\.snapshot.id.rawValue) == [1, 2, 3])
        #expect(next == 43)
    }

    @Test func lastEndCountsUnlessRestarted() {
        func event(_ sequence: Int64, _ id: Int) -> SessionEvent {
            SessionEvent(
                sequence: sequence, time: 1,
                transfer: Transfer(
                    id: TransferID(rawValue: id), kind: .upload, url: "https://example.org", file: "/x", state: .failed)
            )
        }
        let going = Transfer(
            id: TransferID(rawValue: 2), kind: .upload, url: "https://example.org", file: "/x", state: .queued)
        let events = [event(1, 1), event(2, 2), event(3, 1), event(4, 3)]
        #expect(SessionLedger.overtaken(events, [going]) == [1, 2])
    }
}
