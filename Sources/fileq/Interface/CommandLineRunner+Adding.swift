// SPDX-License-Identifier: MIT

import ArgumentParser
import Synchronization
import TerminalInterface
import TransferControl
import TransferModel

/// The form for adding: the same commands, planned and carried out in this process.
extension CommandLineRunner {
    func add(_ request: AddRequest) async -> AddOutcome {
        let words = AddWords(request: request, home: surroundings.environment("HOME"))
        let (surroundings, notes) = quiet()
        let fetched = await inputs(of: request)
        let planned = await withCheckedContinuation { done in
            let hasStarted = threads.start { done.resume(returning: Self.prepare(words, surroundings, fetched)) }
            if !hasStarted {
                done.resume(returning: .failure(TransferError(.other, "too many folders do not respond")))
            }
        }
        do {
            let plan = try planned.get()
            plan.failures.report(notes.add)
            var run = AddRun(plan: plan, client: queue, writesJSON: false) { _ in true }
            run.noteTaken = { notes.add($0.note) }
            try await run.execute(now: surroundings.now())
            return .added(plan.descriptions.count, notes: notes.all)
        } catch {
            return Self.failure(error, words)
        }
    }

    /// Blocks as long as the file system does; creates nothing.
    func lookAhead(_ request: AddRequest) -> AddOutlook {
        var asked = request
        // Its names are free.
        if asked.existing == .keepBoth { asked.existing = .ask }
        let words = AddWords(request: asked, home: surroundings.environment("HOME"))
        var outlook = AddOutlook()
        let plan: AddPlan
        do {
            plan = try Self.plan(words, quiet().surroundings, with: PlanInputs())
        } catch {
            switch Self.failure(error, words) {
            case .added: break
            case .failed(let text, _): outlook.problem = text
            case .missesFolder(let text): (outlook.problem, outlook.missesFolder) = (text, true)
            }
            return outlook
        }
        // Names of their own are free.
        let isHere = surroundings.machine == nil
        if isHere, request.existing != .keepBoth { outlook.files = TakenFiles.candidates(of: plan.descriptions) }
        outlook.skipped = plan.firstSkipped?.words(besides: plan.skipped - 1)
        var existing = 0
        for spec in plan.descriptions {
            switch spec.operation {
            case .download(let download):
                outlook.downloads += 1
                // The configuration may say what to do with them.
                let isOpen = !download.overwrites && download.existing == .fails
                guard request.existing != .ask || isOpen, spec.file != "-" else { continue }
                guard isHere, FileStatus(spec.file, followingLinks: false) != nil else { continue }
                existing += 1
                outlook.existingName = outlook.existingName ?? spec.file.lastPathPart.map(String.init)
            case .upload:
                outlook.uploads += 1
                outlook.bytes = (outlook.bytes ?? 0) + (FileStatus(spec.file)?.size ?? 0)
            }
        }
        outlook.existing = outlook.downloads > 0 ? existing : nil
        if plan.descriptions.count == 1, outlook.downloads == 1, plan.descriptions[0].file != "-" {
            outlook.name = plan.descriptions[0].file.lastPathPart.map(String.init)
        }
        outlook.servers = Set(plan.descriptions.map(\.url.authority)).count
        return outlook
    }

    /// Without the names in use if the queue does not reply.
    private func inputs(of request: AddRequest) async -> PlanInputs {
        guard request.existing == .keepBoth, let names = try? await queue.namesInUse() else { return PlanInputs() }
        return PlanInputs(namesInUse: names)
    }

    /// The plan, whose folders exist then. Blocks as long as the file system does.
    private static func prepare(
        _ words: AddWords, _ surroundings: CommandEnvironment, _ fetched: PlanInputs
    ) -> Result<AddPlan, any Error> {
        Result {
            let plan = try Self.plan(words, surroundings, with: fetched)
            try plan.makeFolders()
            return plan
        }
    }

    /// Creates nothing.
    private static func plan(
        _ words: AddWords, _ surroundings: CommandEnvironment, with fetched: PlanInputs
    ) throws -> AddPlan {
        let typed = try words.words()
        try requireShownQueue(typed)
        let given = try Settings.merge(typed)
        guard let command = try Program.parse(given.words) as? any AddingCommand else {
            throw TransferError(.usage, "type addresses, a curl line, or arguments of 'fileq add'")
        }
        return try command.planForScreen(surroundings, with: fetched).plan
    }

    private static func failure(_ error: any Error, _ words: AddWords) -> AddOutcome {
        // The form has another remedy than options.
        if let error = error as? TransferError, error.fields.variant == .saveFolderMissing {
            return .missesFolder(HomePath(words.home).shortened(MessageCatalog.cause(of: error)))
        }
        let given = MergedArguments(words: (try? words.words()) ?? [])
        let line = ErrorReport(error, about: given).line ?? "a request for help; see 'fileq add get --help'"
        var text = line.split(separator: "\n").joined(separator: "; ")
        let field = AddWords.field(of: error)
        // The field has the name of the option already.
        if let option = (error as? TransferError)?.fields.option, field != .addresses {
            text = String(text.trimmingPrefix("--\(option): "))
        }
        return .failed(HomePath(words.home).shortened(text), field)
    }

    private func quiet() -> (surroundings: CommandEnvironment, notes: Notes) {
        let notes = Notes()
        return (Self.withoutTerminal(surroundings) { notes.add($0) }, notes)
    }
}

/// Warnings of a command.
private final class Notes: Sendable {
    private let said = Mutex<[String]>([])

    func add(_ note: String) { said.withLock { $0.append(note) } }
    var all: [String] { said.withLock { $0 } }
}
