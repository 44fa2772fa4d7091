// SPDX-License-Identifier: MIT

import ArgumentParser
import Synchronization
import TerminalInterface
import TransferControl
import TransferModel

/// The form for editing: the same commands, carried out in this process.
extension CommandLineRunner {
    /// What is wrong is found before the first command.
    func edit(_ request: EditRequest) async -> EditOutcome {
        let words = EditWords(request: request, home: surroundings.environment("HOME"))
        let notes = Mutex<[String]>([])
        do {
            try check(request)
            for command in words.commands {
                let merged = try Settings.merge(command).words
                guard let parsed = try Program.parse(merged) as? any QueueParsableCommand else { continue }
                var context = QueueContext(connect: { _ throws(TransferError) in
                    throw TransferError(.other, "no queue")
                })
                context.ownQueue = queue
                context.output = FileOutput { _ in }
                context.say = { note in notes.withLock { $0.append(note) } }
                context.surroundings = Self.withoutTerminal(surroundings) { note in notes.withLock { $0.append(note) } }
                context.surroundings.askPassword = { _ throws(TransferError) in
                    throw TransferError(.usage, option: "--password-file", "type the password; netrc has none")
                }
                try await parsed.run(in: context)
            }
            return .done(steps: words.steps, notes: notes.withLock { $0 })
        } catch is ExitCode {
            return .failed(notes.withLock { $0 }.joined(separator: "; "), nil)
        } catch {
            return .failed(Self.text(of: error, words), EditWords.field(of: error))
        }
    }

    /// Blocks as long as the file system does.
    func lookAhead(_ request: EditRequest) -> EditOutlook {
        var outlook = EditOutlook()
        let words = EditWords(request: request, home: surroundings.environment("HOME"))
        do {
            try check(request)
            // Folders of another machine are not seen from here.
            if surroundings.machine == nil, let folder = words.folder {
                let paths = AbsolutePaths(workingFolder: try surroundings.workingFolder())
                guard FileStatus(paths.path(folder))?.isFolder == true else {
                    throw TransferError(.cannotWrite, option: "--directory", "\(folder): there is no such folder")
                }
                if let file = words.file { outlook.exists = FileStatus(paths.path(file), followingLinks: false) != nil }
            }
        } catch {
            (outlook.problem, outlook.field) = (Self.text(of: error, words), EditWords.field(of: error))
        }
        return outlook
    }

    private func check(_ request: EditRequest) throws {
        if let address = request.address {
            do throws(TransferError) { _ = try TransferURL(try surroundings.address(address)) } catch {
                throw error.concerning(option: "--url")
            }
        }
        if let limit = request.limit { _ = try QueueChanges.rate(limit, "--limit") }
        if let priority = request.priority { _ = try SetCommand.priority(priority) }
        if case .at(let time) = request.start, time.lowercased() != "now" {
            _ = try StartTime.parse(time, now: surroundings.now(), local: surroundings.localTime)
        }
        if let cookies = request.cookies, !cookies.hasPrefix("@") {
            for word in EditWords(request: request).commands.joined() where word.hasPrefix("--cookie=") {
                do throws(TransferError) { _ = try CookieArguments.cookie(String(word.dropFirst(9))) } catch {
                    throw error.concerning(option: "--cookie")
                }
            }
        }
    }

    private static func text(of error: any Error, _ words: EditWords) -> String {
        let report = ErrorReport(error, about: MergedArguments(words: words.shownCommands.first ?? []))
        let line = report.line ?? "it cannot be changed"
        var text = line.split(separator: "\n").joined(separator: "; ")
        // The field has the name of the option already.
        if let option = (error as? TransferError)?.fields.option { text = String(text.trimmingPrefix("--\(option): ")) }
        return HomePath(words.home).shortened(text)
    }
}
