// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TerminalInterface

/// Keys in, requests out.
struct AddFormTests {
    private func state(pasted: String? = nil) -> InterfaceState {
        var state = Samples.queued(1)
        state.setup.saveFolder = "~/Downloads/"
        state.setup.workingFolder = "/home/user/work"
        if let pasted { state.keys(.paste(pasted)) } else { state.keys(.character("a")) }
        return state
    }

    private func outlook(_ downloads: Int, existing: Int? = 0) -> AddOutlook {
        var outlook = AddOutlook()
        (outlook.downloads, outlook.servers, outlook.existing) = (downloads, 1, existing)
        return outlook
    }

    private func request(_ addresses: String, _ change: (inout AddRequest) -> Void = { _ in }) -> AddRequest {
        var request = AddRequest()
        request.addresses = addresses
        change(&request)
        return request
    }

    private func serial(_ state: InterfaceState) -> Int { state.mode.addForm?.serial ?? -1 }

    @Test func typingAnAddress() {
        var state = state()
        state.type(" https://例え.jp/")
        let asked = state.press(.character("a"))
        #expect(asked == [.lookAhead(request("https://例え.jp/a"), serial(state))])
        let effects = state.receive(outlook(1), serial: serial(state))
        #expect(effects.isEmpty && state.mode.addForm?.note.text == "1 download, 1 server")
        #expect(state.keys(.enter) == [.add(request("https://例え.jp/a"))])
        #expect(state.mode.addForm?.note.text == "adding…")
        #expect(state.keys(.character("x"), .enter).isEmpty, "it is added once")
        state.receive(AddOutcome.added(1, notes: []))
        #expect(state.mode.addForm == nil && state.notice?.text == "Added")
    }

    @Test func everyFieldIsPartOfTheRequest() {
        var state = state(pasted: "https://a.example/x")
        state.keys(.down, .down, .control("u"))
        state.type("/srv/iso")
        state.keys(.down, .character("n"), .down)
        state.type("23:30")
        state.keys(.down, .character("h"), .down)
        state.type("2M")
        state.keys(.down)
        state.type("sha256:00")
        let expected = request("https://a.example/x") {
            ($0.folder, $0.existing, $0.start) = ("/srv/iso", .newer, .at("23:30"))
            ($0.priority, $0.limit, $0.checksum) = ("high", "2M", "sha256:00")
        }
        #expect(state.keys(.enter) == [.add(expected)])
    }

    @Test func usualValuesAreLeftOut() {
        var state = state(pasted: "https://a.example/x")
        state.keys(.down, .down)
        state.type("x")
        state.keys(.backspace, .down, .right, .down, .right, .right)
        #expect(
            state.mode.addForm?.request
                == request("https://a.example/x") { ($0.existing, $0.start) = (.replace, .paused) })
    }

    @Test func emptyFieldsAreErrorsBesideThem() {
        var state = state()
        #expect(state.keys(.enter).isEmpty)
        #expect(state.mode.addForm?[.addresses].error == "type or paste an address")
        state.type("https://a.example/")
        state.keys(.down, .down, .down, .down, .right)
        var problem = AddOutlook()
        problem.problem = "missing value for '--at <time>'"
        _ = state.receive(problem, serial: serial(state))
        #expect(state.mode.addForm?.note.text == "type a time: 23:30, tomorrow 08:00 or +2h", "no option is typed here")
        state.keys(.enter)
        #expect(state.mode.addForm?[.start].error == "type a time: 23:30, tomorrow 08:00 or +2h")
        #expect(state.mode.addForm?.active == .start)
    }

    @Test func anErrorStandsOnce() {
        var state = state(pasted: "https://a.example/x")
        var problem = AddOutlook()
        problem.problem = "'25:99' is no time; write 23:30"
        _ = state.receive(problem, serial: serial(state))
        #expect(state.mode.addForm?.note.text == problem.problem)
        state.keys(.enter, .enter)
        state.receive(AddOutcome.failed("'25:99' is no time; write 23:30", .start))
        #expect(state.mode.addForm?[.start].error != nil && state.mode.addForm?.note.text == "Enter tries again")
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        let rows = (0..<24).map { grid.text(row: $0) }
        #expect(rows.count { $0.contains("25:99") } == 1)
        #expect(!rows[23].contains("q quit"), "the list's keys do not apply")
    }

    @Test func enterCreatesAMissingFolderOnceTheFormHasSaidSo() {
        var missing = AddOutlook()
        (missing.problem, missing.missesFolder) = ("no folder '~/new'", true)
        let wanted = request("https://a.example/x") { $0.createsFolder = true }
        var state = state(pasted: "https://a.example/x")
        _ = state.receive(missing, serial: serial(state))
        #expect(state.mode.addForm?.note.text == "no folder '~/new'; Enter creates it")
        #expect(state.keys(.enter) == [.add(wanted)])
        // Pressed before that was known.
        state = self.state(pasted: "https://a.example/x")
        #expect(state.keys(.enter).isEmpty)
        #expect(state.receive(missing, serial: serial(state)).isEmpty)
        #expect(state.mode.addForm?.phase == .editing && state.mode.addForm?.note.isWarning == true)
        #expect(state.keys(.enter) == [.add(wanted)])
        // Found when it was to be added.
        state = self.state(pasted: "https://a.example/x")
        #expect(state.keys(.enter, .enter) == [.add(request("https://a.example/x"))])
        state.receive(AddOutcome.missesFolder("no folder '~/new'"))
        #expect(state.mode.addForm?[.folder].error == "no folder '~/new'" && state.mode.addForm?.active == .folder)
        #expect(state.mode.addForm?.note.text == "Enter creates the folder")
        var other = state
        #expect(state.keys(.enter, .enter) == [.add(wanted)])
        // Another folder is not meant.
        other.keys(.paste("er"))
        #expect(other.mode.addForm?.offersFolder == false && other.mode.addForm?[.folder].error == nil)
    }

    @Test func aRefusalStaysBesideItsFieldWithTheText() {
        var state = state(pasted: "https://a.example/x")
        _ = state.receive(outlook(1), serial: serial(state))
        state.keys(.up, .up)
        state.type("fast")
        _ = state.receive(outlook(1), serial: serial(state))
        state.keys(.down, .enter)
        state.receive(AddOutcome.failed("'fast' is no rate", .limit))
        #expect(state.mode.addForm?[.limit].error == "'fast' is no rate" && state.mode.addForm?[.limit].text == "fast")
        #expect(state.mode.addForm?.active == .limit)
        state.keys(.control("u"))
        #expect(state.mode.addForm?[.limit].error == nil)
        state.keys(.escape)
        state.receive(AddOutcome.failed("too late", nil))
        #expect(state.mode.addForm == nil && state.notice?.text == "Too late")
    }

    @Test func aPasteOnTheListOpensTheForm() {
        var state = Samples.queued(1)
        let effects = state.keys(.paste("https://a.example/1\nhttps://a.example/2\n"))
        #expect(effects == [.lookAhead(request("https://a.example/1\nhttps://a.example/2"), serial(state))])
        #expect(state.mode.addForm?.note.text == "2 downloads, 1 server", "known without looking at files")
        #expect(state.mode.addForm?[.addresses].summary == "https://a.example/1, 1 more")
    }

    @Test func aSecondPasteIsAnotherAddress() {
        var state = state(pasted: "https://a.example/1")
        state.keys(.paste("https://a.example/2\n"))
        #expect(state.mode.addForm?.request.addresses == "https://a.example/1\nhttps://a.example/2")
        state = self.state()
        #expect(state.takesBursts)
        state.type("https://a.example/")
        state.keys(.paste("part"))
        #expect(state.mode.addForm?.request.addresses == "https://a.example/part" && !state.takesBursts)
    }

    @Test func aCurlLineKeepsItsLines() {
        var state = Samples.queued(1)
        let line = "curl 'https://a.example/x' \\\n  -H 'Accept: */*'"
        state.keys(.paste(line))
        #expect(state.mode.addForm?.request.addresses == line && state.mode.addForm?[.addresses].summary == nil)
    }

    @Test func manyExistingFilesAreOneQuestion() {
        for (key, answer) in [
            (Key.character("r"), AddRequest.Existing?.some(.replace)), (.character("s"), .skip),
            (.character("n"), .newer), (.character("k"), .keepBoth), (.enter, nil), (.escape, nil),
            (.character("y"), nil), (.paste("r"), nil),
        ] {
            var state = state(pasted: (1...200).map { "https://a.example/\($0)\n" }.joined())
            _ = state.receive(outlook(200, existing: 2), serial: serial(state))
            #expect(state.mode.addForm?.note.text == "200 downloads, 1 server; 2 exist: ask once")
            #expect(state.keys(.enter).isEmpty)
            #expect(state.mode.addForm?.note.text == "2 files exist already; for all of them:")
            let effects = state.keys(key)
            if let answer {
                #expect(effects.count == 1)
                guard case .add(let request)? = effects.first else {
                    Issue.record("nothing was added")
                    continue
                }
                #expect(request.existing == answer)
            } else {
                #expect(effects.isEmpty && state.mode.addForm?.phase == .editing)
            }
        }
    }

    @Test func existingFilesThatAreDecidedOnAreNotAsked() {
        var state = state(pasted: "https://a.example/1")
        state.keys(.down, .down, .down, .character("s"))
        _ = state.receive(outlook(1, existing: 1), serial: serial(state))
        #expect(state.mode.addForm?.note.text == "1 download, 1 server; 1 exists: skipped")
        #expect(state.keys(.enter).count == 1)
    }

    /// The name is what one wants to check before Enter.
    @Test func theOnlyDownloadIsNamed() {
        var state = state(pasted: "https://a.example/1")
        var found = outlook(1, existing: 1)
        (found.name, found.existingName) = ("disk.iso", "disk.iso")
        _ = state.receive(found, serial: serial(state))
        #expect(state.mode.addForm?.note.text == "1 download: disk.iso; 1 exists: ask")
        state.keys(.enter)
        #expect(state.mode.addForm?.note.text == "disk.iso exists already:")
        #expect(state.mode.addForm?.note.isWarning == true)
    }

    /// Whichever begins second would fail.
    @Test(arguments: [
        (["file1"], 1, "1 download, 1 server; 1 has this file already"),
        (["file2", "new"], 2, "2 downloads, 1 server; 2 has one of the files already"),
        (["file1", "file2", "new"], 3, "3 downloads, 1 server; 2 of the files are in the queue already"),
        (["file3"], 1, "1 download, 1 server"), (["file4"], 1, "1 download, 1 server"),
    ])
    func saysThatATransferHasTheFile(_ names: [String], _ downloads: Int, _ note: String) {
        var state = Samples.state([
            Samples.transfer(1, .running, "file1"), Samples.transfer(2, .queued, "file2"),
            Samples.transfer(3, .completed, "file3"), Samples.transfer(4, .running, "file4", kind: .upload),
        ])
        state.keys(.paste("https://a.example/1"))
        var found = outlook(downloads)
        found.files = names.map { "/home/user/\($0)" }
        _ = state.receive(found, serial: serial(state))
        #expect(state.mode.addForm?.note.text == note)
        #expect(state.mode.addForm?.note.isWarning == note.contains("already"))
        #expect(state.keys(.enter).count == 1, "it is no question")
    }

    @Test func aSkippedLineIsNamedBeforeEnter() {
        var state = state(pasted: "-i list.txt")
        var found = outlook(300, existing: 2)
        found.skipped = "line 17 is skipped: the URL names no valid host"
        _ = state.receive(found, serial: serial(state))
        let text = "300 downloads, 1 server; 2 exist: ask once; line 17 is skipped: the URL names no valid host"
        #expect(state.mode.addForm?.note.text == text && state.mode.addForm?.note.isWarning == true)
    }

    @Test func enterWaitsForTheOutlookOnce() {
        var state = state(pasted: "https://a.example/1")
        let wanted = Effect.add(request("https://a.example/1"))
        #expect(state.keys(.enter).isEmpty && state.mode.addForm?.phase == .checking)
        #expect(state.receive(outlook(1), serial: serial(state)) == [wanted])
        state = self.state(pasted: "https://a.example/1")
        state.keys(.enter)
        #expect(state.keys(.enter) == [wanted], "a folder that does not respond holds nothing up")
        state = self.state(pasted: "https://a.example/1")
        state.keys(.enter)
        #expect(state.receive(outlook(1, existing: 1), serial: serial(state)).isEmpty)
        #expect(state.mode.addForm?.phase == .asking)
    }

    @Test func anOutlookOfAnEarlierTextIsIgnored() {
        var state = state(pasted: "https://a.example/1")
        let earlier = serial(state)
        state.type("2")
        _ = state.receive(outlook(7), serial: earlier)
        #expect(state.mode.addForm?.note.text == "1 download, 1 server")
        var problem = AddOutlook()
        problem.problem = "no folder 'x'"
        _ = state.receive(problem, serial: serial(state))
        #expect(state.mode.addForm?.note.text == "no folder 'x'" && state.mode.addForm?.note.isWarning == true)
    }

    @Test func warningsAreInTheLog() {
        var state = state(pasted: "https://a.example/1")
        state.keys(.enter, .enter)
        state.receive(AddOutcome.added(3, notes: ["one is odd"]))
        #expect(state.notice?.text == "Added 3 transfers; one is odd")
        #expect(state.log.entries.contains { $0.text == "one is odd" })
    }
}

/// Keys in, folders and paths out.
struct PickerTests {
    private static let listing = Picker.Listing(entries: [
        .init(name: ".config", isFolder: true), .init(name: "2025年春", isFolder: true, modified: 900),
        .init(name: "sub", isFolder: true), .init(name: ".hidden", isFolder: false, size: 1),
        .init(name: "京都駅.jpg", isFolder: false, size: 3 << 20), .init(name: "奈良.jpg", isFolder: false, size: 1 << 20),
        .init(name: "socket", isFolder: false), .init(name: "z\u{1b}.txt", isFolder: false, size: 5),
    ])

    private func picker(_ purpose: Picker.Purpose, _ folder: String = "/home/user/写真") -> Picker {
        var picker = Picker(purpose, folder: folder)
        picker.receive(Self.listing, picker.serial)
        return picker
    }

    private func press(_ picker: inout Picker, _ keys: Key...) -> Picker.Event {
        var last = Picker.Event.none
        for key in keys { last = picker.press(key, page: 10) }
        return last
    }

    private func names(_ picker: Picker) -> [String] { picker.shown.map(\.name) }

    @Test func hiddenFilesAreShownOnRequest() {
        var picker = picker(.files)
        #expect(names(picker) == ["2025年春", "sub", "京都駅.jpg", "奈良.jpg", "socket", "z\u{1b}.txt"])
        _ = press(&picker, .down, .character("."))
        #expect(names(picker).count == 8 && picker.current?.name == "sub", "the selection stays")
        _ = press(&picker, .character("."))
        #expect(names(picker).count == 6 && picker.current?.name == "sub")
    }

    @Test func partialFilesAreHidden() {
        var picker = Picker(.files, folder: "/home/user")
        let names = ["a.iso", "a.iso.fileq-part", "a.iso.fileq-part.json", "b"]
        picker.receive(Picker.Listing(entries: names.map { .init(name: $0, isFolder: false, size: 1) }), picker.serial)
        #expect(self.names(picker) == ["a.iso", "b"])
        _ = press(&picker, .character("."))
        #expect(self.names(picker) == names)
    }

    @Test func foldersOpenAndClose() {
        var picker = picker(.files)
        #expect(press(&picker, .enter) == .read("/home/user/写真/2025年春"))
        #expect(picker.listing == nil && picker.shown.isEmpty)
        picker.receive(Self.listing, 0)
        #expect(picker.listing == nil, "that of the folder before is ignored")
        picker.receive(Picker.Listing(), picker.serial)
        #expect(press(&picker, .left) == .read("/home/user/写真"))
        picker.receive(Self.listing, picker.serial)
        #expect(picker.current?.name == "2025年春", "the one that was left is selected")
        #expect(press(&picker, .down, .right) == .read("/home/user/写真/sub"))
        // One that never responds can be left.
        #expect(press(&picker, .backspace) == .read("/home/user/写真"))
        #expect(press(&picker, .escape) == .close)
        var root = self.picker(.files, "/")
        #expect(press(&root, .left) == .none && press(&root, .enter) == .read("/2025年春"))
        #expect(Picker(.files, folder: "/a//b/../c/.").folder == "/a/c")
    }

    @Test func aFilterSelectsItsFirstMatch() {
        var picker = picker(.files)
        _ = press(&picker, .end, .character("/"), .character("j"), .character("p"), .character("g"))
        #expect(names(picker) == ["京都駅.jpg", "奈良.jpg"] && picker.current?.name == "京都駅.jpg")
        _ = press(&picker, .down)
        #expect(picker.current?.name == "奈良.jpg")
        _ = press(&picker, .backspace)
        #expect(picker.current?.name == "奈良.jpg", "one that the filter shows stays selected")
        _ = press(&picker, .escape)
        #expect(picker.current?.name == "奈良.jpg" && names(picker).count == 6)
    }

    @Test func threeMarksAreThreePaths() {
        var picker = picker(.files)
        _ = press(&picker, .character(" "))
        #expect(picker.marks.isEmpty && picker.refusal != nil, "folders are opened, not marked")
        _ = press(&picker, .down, .down, .character(" "), .character(" "))
        #expect(picker.marks.map(\.path) == ["/home/user/写真/京都駅.jpg", "/home/user/写真/奈良.jpg"])
        _ = press(&picker, .character(" "))
        #expect(picker.marks.count == 2 && picker.refusal != nil, "a socket has no bytes to send")
        // Enter takes what is marked.
        _ = press(&picker, .home, .right)
        picker.receive(Picker.Listing(entries: [.init(name: "桜.jpg", isFolder: false, size: 7)]), picker.serial)
        _ = press(&picker, .character(" "))
        #expect(
            press(&picker, .enter)
                == .take(["/home/user/写真/京都駅.jpg", "/home/user/写真/奈良.jpg", "/home/user/写真/2025年春/桜.jpg"]))
        _ = press(&picker, .home, .character(" "))
        #expect(picker.marks.count == 2, "a second Space takes the mark away")
    }

    @Test func oneFileNeedsNoMark() {
        var picker = picker(.files)
        #expect(press(&picker, .end, .enter) == .take(["/home/user/写真/z\u{1b}.txt"]))
        #expect(press(&picker, .up, .enter) == .none && picker.refusal == "Not a file that can be taken")
    }

    @Test func theFilterTakesWords() {
        var picker = picker(.files)
        _ = press(&picker, .character("/"), .character("J"), .character("P"), .character("."))
        #expect(picker.isFiltering && names(picker).isEmpty)
        _ = press(&picker, .backspace)
        #expect(names(picker) == ["京都駅.jpg", "奈良.jpg"])
        _ = press(&picker, .enter, .end)
        #expect(!picker.isFiltering && picker.current?.name == "奈良.jpg")
        #expect(press(&picker, .escape) == .none && names(picker).count == 6)
        _ = press(&picker, .character("/"), .character("s"), .escape)
        #expect(!picker.isFiltering && picker.filter.text.isEmpty)
    }

    @Test func aFolderIsThisOneOrOneInside() {
        var picker = picker(.folder)
        #expect(names(picker) == [".", "2025年春", "sub"])
        #expect(press(&picker, .enter) == .take(["/home/user/写真"]))
        #expect(press(&picker, .down, .enter) == .take(["/home/user/写真/2025年春"]))
        #expect(press(&picker, .home, .right) == .none && press(&picker, .character(" ")) == .none)
        #expect(picker.marks.isEmpty)
    }

    @Test func whatIsPickedIsInTheField() {
        var state = Samples.queued(1)
        state.setup.homeFolder = "/home/user"
        state.setup.workingFolder = "/home/user/写真"
        state.setup.saveFolder = "~/Downloads/"
        state.keys(.paste("https://a.example/inbox/"))
        #expect(state.keys(.down, .control("o")) == [.list("/home/user/写真", 0)])
        state.receive(Self.listing, serial: 0)
        let effects = state.keys(.down, .down, .character(" "), .character(" "), .enter)
        #expect(state.mode.picker == nil)
        #expect(state.mode.addForm?.request.files == ["~/写真/京都駅.jpg", "~/写真/奈良.jpg"])
        #expect(state.mode.addForm?[.files].summary == "京都駅.jpg, 1 more")
        #expect(state.mode.addForm?[.folder].isEnabled == false && state.mode.addForm?[.existing].isEnabled == false)
        #expect(effects.count == 1 && state.mode.addForm?.note.text == "2 uploads, 1 server")
        // The folder is for downloads.
        state.keys(.control("u"))
        #expect(state.keys(.down, .control("o")) == [.list("/home/user/Downloads", 0)])
        state.receive(Self.listing, serial: 0)
        state.keys(.down, .enter)
        #expect(state.mode.addForm?[.folder].text == "~/Downloads/2025年春/")
        #expect(state.keys(.control("o")) == [.list("/home/user/Downloads/2025年春", 0)])
        #expect(state.keys(.escape).isEmpty && state.mode.picker == nil && state.mode.addForm != nil)
    }
}
