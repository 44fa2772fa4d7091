// SPDX-License-Identifier: MIT

import Testing
import TransferTesting

/// A queue that is added to and changed while its service is killed, and what is known of it.
struct CrashRun {
    /// How the service is killed.
    enum Blow: CaseIterable {
        /// While it works.
        case atWork
        /// While a command is being answered.
        case underCommand
        /// While it starts.
        case starting
        /// Twice, the second time as soon as it answers.
        case twice
    }

    let stage: SoakStage
    private var random: SeededRandom
    private var mixed: MixedQueue
    /// All that was ever asked for, as it must end.
    private(set) var items: [SoakItem] = []
    /// The ids that were given away.
    private(set) var ids: [String: Int] = [:]
    private(set) var crashes = 0
    /// How many transfers were under way when the service was killed, over all crashes.
    private(set) var interrupted = 0
    /// Runs until it is cancelled.
    private var endless: SoakItem?
    /// Runs, or was paused on its way.
    private var long: (item: SoakItem, isPaused: Bool)?

    init(_ stage: SoakStage, seed: UInt64) async throws {
        self.stage = stage
        random = SeededRandom(seed &* 31 &+ 7)
        mixed = try await MixedQueue(stage, seed: seed)
    }

    /// Fills the queue.
    mutating func open(large: Int, small: Int) async throws {
        for item in try mixed.opening(large: large, small: small) { try await add(item) }
        for var item in try [
            mixed.download(size: 65_536, "wait-head=0"), mixed.upload(.fileQ, size: 65_536, ["--meta", "kind=paused"]),
        ] {
            item.words.append("--paused")
            item.end = .paused
            try await add(item)
        }
    }

    /// Something changes, and the service is killed.
    mutating func round() async throws {
        let blow = Blow.allCases.randomElement(using: &random)!
        let pause = Duration.milliseconds(Int.random(in: 0...900, using: &random))
        let short = Duration.milliseconds(Int.random(in: 0...250, using: &random))
        try await stage.revive()
        if random.once(in: 2) { try await add(mixed.another()) }
        if random.once(in: 2) { try await change() }
        switch blow {
        case .atWork:
            // A machine under load may begin nothing within the pause.
            let stage = stage
            _ = await becomesTrue(within: 20) { Self.openFiles(stage) > 0 }
            try await Task.sleep(for: pause)
            try await strike()
        case .underCommand: try await addUnderBlow(mixed.another(), after: short)
        case .starting:
            try await strike()
            let asking = try stage.startFileq(["list", "--json"])
            try await Task.sleep(for: short + short)
            try await strike()
            expectOrderly(await asking.end())
        case .twice:
            try await Task.sleep(for: pause)
            try await strike()
            try await stage.revive()
            try await strike()
        }
    }

    /// Lets all transfers end that can, and resumes those that wait for the user.
    mutating func waitUntilIdle() async throws {
        if let endless { try await cancel(endless) }
        if let long, long.isPaused { try await stage.done(["resume", "\(try id(long.item))"]) }
        (endless, long) = (nil, nil)
    }

    /// Resumes the paused transfers.
    mutating func resumeAll() async throws {
        for index in items.indices where items[index].end == .paused {
            try await stage.done(["resume", "\(try id(items[index]))"])
            items[index].end = .completed
        }
    }

    func id(_ item: SoakItem) throws -> Int { try #require(ids[item.name], "\(item.name) was never acknowledged") }

    // MARK: Blows

    private mutating func strike() async throws {
        interrupted += Self.openFiles(stage)
        crashes += try await stage.strikeService()
    }

    /// Open partial files and sources are what runs, whatever the queue says of it.
    private static func openFiles(_ stage: SoakStage) -> Int {
        let folders = [stage.here, stage.folder.file("sources")]
        return stage.processes.reduce(0) { count, pid in
            count + stage.descriptors(of: pid).count { path in folders.contains { path.hasPrefix($0 + "/") } }
        }
    }

    /// A command whose service was killed may fail, in words; it neither hangs nor crashes.
    private func expectOrderly(_ said: Said) {
        #expect(said.exit >= 0 && said.exit < 128, "\(said)")
        #expect(said.exit == 0 || !said.complaints.isEmpty, "\(said)")
    }

    /// The service dies while it takes the item in: what was acknowledged stays, and what was not is there once or not
    /// at all.
    private mutating func addUnderBlow(_ item: SoakItem, after pause: Duration) async throws {
        let adding = try stage.startFileq(["add"] + item.words)
        try await Task.sleep(for: pause)
        try await strike()
        let said = await adding.end()
        expectOrderly(said)
        items.append(item)
        let found = try await stage.list().filter { $0.name == item.name }
        #expect(found.count <= 1, "\(item.name): added once and there \(found.count) times")
        if said.exit == 0 {
            let given = try #require(Int(said.lines.first ?? ""), "\(said)")
            #expect(found.map(\.id) == [given], "\(item.name): acknowledged as \(given) and lost")
            ids[item.name] = given
        } else if let one = found.first {
            ids[item.name] = one.id
        } else {
            items.removeLast()
            try await add(item)
        }
    }

    // MARK: Commands

    private mutating func add(_ item: SoakItem) async throws {
        let said = try await stage.done(["add"] + item.words)
        let id = try #require(said.lines.count == 1 ? Int(said.lines[0]) : nil, "\(said)")
        #expect(!ids.values.contains(id), "the id \(id) was given away twice")
        ids[item.name] = id
        items.append(item)
    }

    private mutating func change() async throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try await startOrCancelEndless()
        case 1, 2: try await pauseOrResumeLong()
        case 3: try await changeOne(["set"], ["--limit", ["4M", "8M", "16M"].randomElement(using: &random)!])
        case 4:
            try await stage.done([
                "set", "-j", "\(Int.random(in: 3...6, using: &random))", "--download-limit",
                ["none", "20M"].randomElement(using: &random)!,
            ])
        default: try await changeOne(["move"], [["top", "up", "down", "bottom"].randomElement(using: &random)!])
        }
    }

    /// One that has not ended; where it does meanwhile, the command may be refused.
    private mutating func changeOne(_ command: [String], _ words: [String]) async throws {
        guard let one = try await stage.list().filter({ !$0.hasEnded }).randomElement(using: &random) else { return }
        let said = try await stage.fileq(command + ["\(one.id)"] + words)
        guard said.exit != 0 else { return }
        #expect(try await stage.list().first { $0.id == one.id }?.hasEnded == true, "\(said)")
    }

    private mutating func startOrCancelEndless() async throws {
        if let endless {
            try await cancel(endless)
            self.endless = nil
        } else {
            let item = try mixed.endless()
            try await add(item)
            endless = item
        }
    }

    private mutating func cancel(_ item: SoakItem) async throws {
        let deletes = random.once(in: 2)
        try await stage.done(["cancel", "\(try id(item))"] + (deletes ? ["--delete"] : []))
        let index = try #require(items.firstIndex { $0.name == item.name })
        items[index].end = .cancelled(deletesPartial: deletes)
    }

    private mutating func pauseOrResumeLong() async throws {
        guard let (item, isPaused) = long else {
            let item = try mixed.long()
            try await add(item)
            long = (item, false)
            return
        }
        guard isPaused else {
            try await stage.done(["pause", "\(try id(item))"])
            long = (item, true)
            return
        }
        // It stayed paused over whatever happened since, or had ended before.
        let found = try await stage.list().filter { $0.name == item.name }
        #expect(found.map(\.state) == ["paused"] || found.map(\.state) == ["completed"], "\(item.name): \(found)")
        try await stage.done(["resume", "\(try id(item))"])
        long = nil
    }
}
