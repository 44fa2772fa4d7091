// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

/// `e`: what differs from the transfer becomes a request, and says so before.
struct EditFormTests {
    private static func download(_ id: Int, _ state: TransferState, bytes: Int64 = 0) -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "https://a.example/pool/disk.iso",
            file: "/home/user/isos/disk\(id).iso", state: state)
        transfer.bytes = bytes
        return transfer
    }

    private func state(_ transfers: [Transfer]) -> InterfaceState {
        var state = Samples.state(transfers)
        (state.setup.homeFolder, state.setup.canEdit, state.now) = ("/home/user", true, 1_760_000_000)
        state.resize(columns: 80, rows: 24)
        return state
    }

    private func opened(_ state: TransferState = .paused, bytes: Int64 = 0) -> InterfaceState {
        var interface = self.state([Self.download(1, state, bytes: bytes)])
        interface.keys(.character("e"))
        return interface
    }

    /// Keys as far as the effects of Enter.
    private func edited(_ state: InterfaceState, _ keys: [Key]) -> EditRequest? {
        var state = state
        for key in keys { state.keys(key) }
        guard case .edit(let request)? = state.keys(.enter).first else { return nil }
        return request
    }

    private static func text(_ text: String) -> [Key] { text.unicodeScalars.map { .character($0) } }

    @Test func showsWhatThereIs() throws {
        var transfer = Self.download(1, .queued)
        (transfer.rateLimit, transfer.priority, transfer.earliestBegin) = (1 << 20, 0.75, 1_760_003_600)
        var interface = state([transfer])
        interface.keys(.character("e"))
        let form = try #require(interface.mode.editForm)
        #expect(form[.address].text == "https://a.example/pool/disk.iso")
        #expect(form[.name].text == "disk1.iso" && form[.folder].text == "~/isos/")
        #expect(form[.start].takesText && form[.start].text == "2025-10-09 09:53")
        #expect(form[.priority].choices[form[.priority].chosen] == "high" && form[.limit].text == "1M")
        #expect(interface.formDialog?.note == "nothing is changed yet")
        #expect(interface.keys(.enter).isEmpty && interface.mode.editForm == nil)
        #expect(interface.notice?.text == "Nothing was changed")
    }

    /// As in the list: cut in the middle, with the ID where ASCII loses letters.
    @Test(
        arguments: [
            ("disk.iso", .unicode, "┌ Edit disk.iso ──"),
            (
                "ubuntu-26.04.1-desktop-amd64-with-a-very-long-name.iso", .unicode,
                "┌ Edit ubuntu-26.04.1-desktop-amd64-with-a-very-long-name.iso ─"
            ),
            ("京都駅.jpg", .unicode, "┌ Edit 京都駅.jpg ──"), ("京都駅.jpg", .ascii, "+ Edit 1 ???.jpg --"),
        ] as [(String, Capabilities, String)])
    func theTitleNamesTheTransfer(_ name: String, _ capabilities: Capabilities, _ title: String) {
        var transfer = Self.download(1, .paused)
        transfer.file = "/home/user/isos/\(name)"
        var interface = state([transfer])
        interface.keys(.character("e"))
        let grid = render(interface, columns: 80, rows: 24, capabilities: capabilities)
        #expect((0..<24).contains { grid.text(row: $0).contains(title) })
    }

    @Test func onlyDifferencesAreRequested() {
        let paused = opened()
        let id = [TransferID(rawValue: 1)]
        func request(_ change: (inout EditRequest) -> Void) -> EditRequest {
            var request = EditRequest(id)
            change(&request)
            return request
        }
        #expect(edited(paused, Self.text("x")) == request { $0.address = "https://a.example/pool/disk.isox" })
        #expect(
            edited(paused, [.down, .empty] + Self.text("b.iso"))
                == request { ($0.name, $0.folder) = ("b.iso", "~/isos/") })
        #expect(edited(paused, [.down, .down] + Self.text("new/")) == request { $0.folder = "~/isos/new/" })
        let downs = { (count: Int) in [Key](repeating: .down, count: count) }
        #expect(edited(paused, downs(3) + [.right, .right]) == request { $0.existing = .replace })
        #expect(edited(paused, downs(4) + Self.text("a=1; b=2")) == request { $0.cookies = "a=1; b=2" })
        #expect(edited(paused, downs(5) + Self.text("23:30")) == request { $0.start = .at("23:30") })
        #expect(edited(paused, downs(6) + [.right]) == request { $0.priority = "high" })
        #expect(edited(paused, downs(7) + Self.text("2M")) == request { $0.limit = "2M" })
        // What is typed and taken back is no change.
        #expect(edited(paused, downs(7) + Self.text("2") + [.backspace]) == nil)
    }

    /// The password is never shown, and needs a name.
    @Test func aLoginIsGiven() throws {
        var interface = opened(.failed)
        for _ in 0..<9 { interface.keys(.down) }
        #expect(interface.mode.editForm?.active == .password)
        for key in Self.text("s3:cret ") { interface.keys(key) }
        for _ in 0..<2 {
            let text = (0..<24).map { render(interface, columns: 80, rows: 24, capabilities: .unicode).text(row: $0) }
            #expect(text.contains { $0.contains("│ Password  ●●●●●●●●") })
            #expect(!text.joined().contains("cret"))
            interface.keys(.up)
        }
        interface.keys(.down)
        #expect(interface.keys(.enter).isEmpty && interface.mode.editForm?[.user].error == "type the user name, too")
        for key in Self.text("bob") { interface.keys(key) }
        #expect(interface.formDialog?.note == "logs in as bob; retries it")
        var expected = EditRequest(ids(1))
        (expected.user, expected.password) = ("bob", "s3:cret ")
        #expect(interface.keys(.enter) == [.edit(expected)])
        #expect(interface.log.entries.allSatisfy { !$0.text.contains("cret") })
    }

    /// What asked for it need not be resumed by another key.
    @Test func aLoginThatWasAskedForResumes() {
        var interface = Samples.asking
        interface.setup.canEdit = true
        interface.resize(columns: 80, rows: 24)
        interface.keys(.down, .character("e"))
        for _ in 0..<8 where interface.mode.editForm?.active != .user { interface.keys(.down) }
        for key in Self.text("bob") { interface.keys(key) }
        #expect(interface.formDialog?.note == "logs in as bob with the password of netrc; resumes it")
        var expected = EditRequest(ids(2))
        (expected.user, expected.resumes) = ("bob", ids(2))
        #expect(interface.keys(.enter) == [.edit(expected)])
    }

    /// What was refused is not announced.
    @Test func anErrorTakesThePlaceOfWhatWillHappen() {
        var interface = opened(bytes: 2 << 20)
        for key in Self.text("x") { interface.keys(key) }
        #expect(interface.keys(.enter).count == 1)
        interface.receive(EditOutcome.failed("unknown scheme 'ftp'", .address))
        #expect(interface.mode.editForm?[.address].error == "unknown scheme 'ftp'")
        #expect(interface.formDialog?.note == "Enter tries again")
        interface.keys(.backspace, .character("y"))
        #expect(interface.formDialog?.note == "continues at 2.00M if the file is the same")
    }

    @Test func someFieldsDoNotApply() throws {
        // It has begun.
        #expect(opened(.running).mode.editForm?[.start].isEnabled == false)
        #expect(opened(.running).mode.editForm?[.start].isShown == false)
        #expect(opened().mode.editForm?[.start].isShown == true)
        var upload = Self.download(1, .paused)
        upload = Transfer(id: upload.id, kind: .upload, url: upload.url, file: upload.file, state: .paused)
        var interface = state([upload])
        interface.keys(.character("e"))
        let form = try #require(interface.mode.editForm)
        #expect([EditField.name, .folder, .existing, .cookies].allSatisfy { !form[$0].isEnabled && !form[$0].isShown })
        interface.keys(.down)
        #expect(interface.mode.editForm?.active == .start)
        let grid = render(interface, columns: 80, rows: 24, capabilities: .unicode)
        let text = (0..<24).map { grid.text(row: $0) }.joined()
        #expect(text.contains("│ Address ") && text.contains("│ Start ") && !text.contains("│ If exists"))
    }

    @Test func severalShareTheirFields() throws {
        var interface = state([Self.download(1, .paused), Self.download(2, .queued), Self.download(3, .completed)])
        interface.keys(.control("a"), .character("e"))
        let form = try #require(interface.mode.editForm)
        #expect(form.ids.map(\.rawValue) == [1, 2] && !form[.address].isEnabled && !form[.name].isEnabled)
        #expect(interface.formDialog?.title == "Edit 2 transfers" && form.active == .folder)
        interface.keys(.down, .down, .down, .down, .right)
        #expect(interface.formDialog?.note == "low priority")
        let request = interface.keys(.enter)
        var expected = EditRequest([TransferID(rawValue: 1), TransferID(rawValue: 2)])
        expected.priority = "low"
        #expect(request == [.edit(expected)])
    }

    @Test(arguments: [
        (0, "x", "continues at 2.00M if the file is the same"),
        (2, "b/", "moves 2.00M to ~/isos/b/disk1.iso"),
        (5, "23:30", "starts at 23:30"),
        (7, "1M", "at most 1M/s"),
    ])
    func saysWhatWillHappen(_ field: Int, _ typed: String, _ note: String) {
        var interface = opened(bytes: 2 << 20)
        for _ in 0..<field { interface.keys(.down) }
        interface.type(typed)
        #expect(interface.formDialog?.note == note)
    }

    @Test func anotherServerGetsNoSecrets() {
        var interface = opened(.running, bytes: 2 << 20)
        interface.keys(.empty)
        interface.type("https://b.example/x")
        #expect(
            interface.formDialog?.note
                == "asks b.example, without login and cookies of a.example; continues at 2.00M if the file is the "
                + "same; begins another attempt")
    }

    @Test func anotherPortIsNamed() {
        var interface = opened(.running)
        interface.keys(.empty)
        interface.type("https://a.example:8443/x")
        #expect(
            interface.formDialog?.note
                == "asks a.example:8443, without login and cookies of a.example; begins another attempt")
    }

    @Test(
        arguments: [
            ([.empty], "type an address", EditField.address), ([.down, .empty], "type a name", .name),
            ([.down, .character("/")], "a name has no '/'; the folder is below", .name),
            ([.down, .down, .empty, .up], "type a folder", .folder),
            ([.down, .down, .down, .down, .down, .right], "type a time: 23:30, tomorrow 08:00 or +2h", .start),
        ] as [([Key], String, EditField)])
    func mistakesStandBesideTheirField(_ keys: [Key], _ error: String, _ field: EditField) {
        var interface = opened()
        for key in keys { interface.keys(key) }
        #expect(interface.keys(.enter).isEmpty)
        #expect(interface.mode.editForm?[field].error == error && interface.mode.editForm?.active == field)
    }

    @Test func aRefusalKeepsTheText() {
        var interface = opened()
        interface.keys(.down, .down)
        interface.type("x/")
        _ = interface.keys(.enter)
        #expect(interface.mode.editForm?.phase == .saving && interface.keys(.character("y")).isEmpty)
        interface.receive(EditOutcome.failed("no such folder", .folder))
        #expect(
            interface.mode.editForm?[.folder].text == "~/isos/x/"
                && interface.mode.editForm?[.folder].error == "no such folder")
        interface.type("y")
        #expect(interface.mode.editForm?[.folder].error == nil)
        _ = interface.keys(.enter)
        interface.receive(EditOutcome.done(steps: 1, notes: []))
        #expect(interface.mode.editForm == nil && interface.notice?.text == "Changed. U undoes.")
    }

    @Test func whatFailedIsRetriedWithItsOtherFile() {
        var interface = opened(.failed)
        interface.keys(.down, .down, .down, .right, .right)
        #expect(interface.formDialog?.note == "replaces an existing file; retries it")
        var expected = EditRequest(ids(1))
        expected.existing = .replace
        #expect(interface.keys(.enter) == [.edit(expected)])
        interface.receive(EditOutcome.done(steps: 1, notes: ["1 had failed and is started again"]))
        #expect(interface.mode.editForm == nil && interface.notice?.text == "1 had failed and is started again")
        // What it did not fail of.
        interface = opened(.failed)
        for _ in 0..<6 { interface.keys(.down) }
        interface.keys(.right)
        #expect(interface.formDialog?.note == "high priority; r retries")
        (expected.existing, expected.priority) = (nil, "high")
        #expect(interface.keys(.enter) == [.edit(expected)])
    }

    @Test func hiddenPartsOfAnAddressAreNotOverwritten() {
        var transfer = Self.download(1, .paused)
        transfer.url = "https://a.example/disk.iso?token=planted"
        var interface = state([transfer])
        interface.keys(.character("e"))
        #expect(interface.mode.editForm?[.address].text == "https://a.example/disk.iso?token=…")
        interface.type("x")
        #expect(interface.keys(.enter).isEmpty && interface.mode.editForm?[.address].error != nil)
    }

    @Test func theFolderIsPicked() {
        var interface = opened()
        interface.setup.workingFolder = "/home/user"
        interface.keys(.down, .down, .control("o"))
        #expect(interface.mode.picker?.folder == "/home/user/isos")
        interface.receive(Picker.Listing(entries: []), serial: interface.mode.picker?.serial ?? 0)
        #expect(interface.keys(.enter).count == 1 && interface.mode.picker == nil)
    }

    /// This machine's folders are not those of the queue.
    @Test func foldersOfAnotherMachineAreTyped() {
        var interface = state([Self.download(1, .paused)])
        interface.setup.machine = "nas"
        for (key, title) in [("e", "┌ Edit"), ("a", "┌ Add")] as [(Unicode.Scalar, String)] {
            interface.keys(.character(key))
            let form = interface.mode.addForm?.form ?? interface.mode.editForm?.form
            let steps = form?.fields.prefix { $0.label != "Save in" }.count { $0.isEnabled } ?? 0
            for _ in 0..<steps { interface.keys(.down) }
            #expect(interface.keys(.control("o")).isEmpty && interface.mode.picker == nil)
            #expect(interface.notice?.text == "Folders of nas are not shown: type the path")
            let grid = render(interface, columns: 80, rows: 24, capabilities: .unicode)
            let text = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
            #expect(text.contains(title) && text.contains(" on nas │"), "\(text)")
            #expect(!text.contains("picks") && !text.contains("Files "), "\(text)")
            interface.type("x")
            #expect((interface.mode.addForm?.form ?? interface.mode.editForm?.form)?.field.text.hasSuffix("x") == true)
            interface.keys(.escape)
        }
    }

    @Test func onlyWhatIsOpenIsEdited() {
        var interface = state([Self.download(1, .completed)])
        interface.keys(.character("e"))
        #expect(interface.notice?.text == "Cannot edit: it is completed" && interface.mode.editForm == nil)
        interface = opened()
        interface.keys(.escape)
        #expect(interface.mode.editForm == nil)
    }

    @Test func aScheduledTransferStartsWithRetry() {
        var transfer = Self.download(1, .queued)
        transfer.earliestBegin = 1_760_003_600
        var interface = state([transfer])
        #expect(interface.keys(.character("r")) == [.perform(.schedule(nil), [transfer.id])])
    }
}

/// The commands that do it.
struct EditWordsTests {
    private func request(_ ids: [Int] = [3], _ change: (inout EditRequest) -> Void) -> EditRequest {
        var request = EditRequest(ids.map { TransferID(rawValue: $0) })
        change(&request)
        return request
    }

    private func commands(_ request: EditRequest) -> [[String]] {
        EditWords(request: request, home: "/home/user").commands
    }

    @Test func whatTheQueueKnowsIsSet() {
        let all = request([3, 4, 6]) { ($0.priority, $0.limit, $0.start) = ("high", "none", .at("23:30")) }
        #expect(commands(all) == [["set", "3-4,6", "--priority=high", "--limit=none", "--at=23:30"]])
        #expect(commands(request { $0.start = .now }) == [["set", "3", "--at=now"]])
    }

    @Test func whatTheServerKnowsIsRelocated() {
        let moved = request { ($0.address, $0.name, $0.folder) = ("https://b.example/x", "-x y", "~/isos") }
        #expect(commands(moved) == [["relocate", "3", "--url=https://b.example/x", "--output=/home/user/isos/-x y"]])
        let several = request([3, 4]) { ($0.folder, $0.existing, $0.limit) = ("/tmp/", .newer, "1M") }
        #expect(
            commands(several) == [
                ["relocate", "3-4", "--directory=/tmp/", "--if-exists=newer"], ["set", "3-4", "--limit=1M"],
            ])
        #expect(
            commands(request { $0.cookies = " a=1;b=2 ; " }) == [["relocate", "3", "--cookie=a=1", "--cookie=b=2"]])
        #expect(commands(request { $0.cookies = "@~/jar" }) == [["relocate", "3", "--cookie=@/home/user/jar"]])
    }

    @Test func aLoginIsThatOfRelocate() {
        let login = request([3, 4]) { ($0.user, $0.password) = ("bob", "plan:ted") }
        #expect(commands(login) == [["relocate", "3-4", "--user=bob:plan:ted"]])
        #expect(EditWords(request: login).shownLine() == "relocate 3-4 --user=bob")
        #expect(commands(request { $0.user = "bob" }) == [["relocate", "3", "--user=bob"]])
        let resumed = request { ($0.user, $0.resumes) = ("bob", [TransferID(rawValue: 3)]) }
        #expect(commands(resumed) == [["relocate", "3", "--user=bob"], ["resume", "3"]])
        #expect(EditWords(request: resumed).steps == 2)
    }

    @Test func theLogShowsNoSecrets() {
        let line = EditWords(
            request: request {
                ($0.address, $0.cookies, $0.limit) = ("https://me:planted@b.example/?token=planted", "a=planted", "1M")
            }, home: nil
        ).shownLine()
        #expect(line?.contains("planted") == false)
        #expect(line?.hasSuffix(" --cookie=… && fileq set 3 --limit=1M") == true)
    }
}

extension Key {
    fileprivate static let empty = Key.control("u")
}
