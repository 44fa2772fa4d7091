// SPDX-License-Identifier: MIT

import Dispatch
import TransferControl
import TransferModel

/// Sends commands to the queue in the order of the keys, off the screen's thread.
struct EffectPump: Sendable {
    private let continuation: AsyncStream<Effect>.Continuation
    private let isDone = DispatchSemaphore(value: 0)
    private let questions: AsyncStream<Void>.Continuation
    private let asking: Task<Void, Never>
    private let mailbox: Mailbox
    /// A folder may never respond: neither its list nor a look at its files holds up the screen, or a command.
    private let lookAhead: LookAhead<AddRequest, AddOutlook>?
    private let lookAheadOfEdit: LookAhead<EditRequest, EditOutlook>?
    private let threads = SideThreads()
    /// Each lasts as long as the program that shows a file.
    private let opening = SideThreads(limit: mostOpen)
    private static let mostOpen = 64
    /// Adding reads files, too: other commands do not wait for it.
    private let adding = DispatchGroup()
    private let add: @Sendable (AddRequest) async -> AddOutcome
    private let open: (@Sendable (String) -> String?)?
    private let edit: (@Sendable (EditRequest) async -> EditOutcome)?
    private let run: TerminalProgram.CommandRunner?
    private let on: TerminalProgram.MachineSwitch?
    private let words: @Sendable (TransferError) -> String
    private let samples: AsyncStream<TransferID?>.Continuation
    private let sampling: Task<Void, Never>
    private let attending: AsyncStream<Bool>.Continuation

    init(
        client: any QueueClient, mailbox: Mailbox, options: TerminalProgram.Options
    ) {
        self.mailbox = mailbox
        (add, edit, open, run) = (options.add, options.edit, options.open, options.run)
        (on, words) = (options.on, options.words.failure)
        lookAhead = options.lookAhead.map { look in
            LookAhead(unknown: AddOutlook(), look: look) { mailbox.post(.outlook($0, $1)) }
        }
        lookAheadOfEdit = options.lookAheadOfEdit.map { look in
            LookAhead(unknown: EditOutlook(), look: look) { mailbox.post(.editOutlook($0, $1)) }
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Effect.self)
        self.continuation = continuation
        Task { [isDone] in
            for await effect in stream {
                await Self.carryOut(effect, client, mailbox, options)
            }
            isDone.signal()
        }
        let (asked, questions) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.questions = questions
        asking = Task {
            for await _ in asked where await Self.waitForReply(client) { mailbox.post(.replied) }
        }
        let (attendance, attending) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        self.attending = attending
        if let attend = options.attend { Task { for await attends in attendance { await attend(attends) } } }
        let (sampled, samples) = AsyncStream.makeStream(
            of: TransferID?.self, bufferingPolicy: .bufferingNewest(1))
        self.samples = samples
        sampling = Task {
            for await id in sampled {
                do {
                    mailbox.post(.rates(try await client.rates(seconds: 60, of: id)))
                } catch let error as TransferError where error.code == .usage {
                    // A queue without samples, or an older service: there is no graph.
                    return
                } catch {
                    // The next request may do better.
                }
            }
        }
    }

    /// Asks for rates, also those of a transfer, and limits; they arrive as ``Mailbox/Message/rates(_:)``.
    func askRates(of id: TransferID?) { samples.yield(id) }

    /// States whether this screen notifies its user of ends.
    func attend(_ attends: Bool) { attending.yield(attends) }

    /// Sends the queue a cheap request; its reply arrives as ``Mailbox/Message/replied``.
    func ask() { questions.yield() }

    /// - Returns: whether there was a reply, even an error; otherwise it is no longer needed.
    private static func waitForReply(_ client: any QueueClient) async -> Bool {
        while !Task.isCancelled {
            do {
                _ = try await client.timetable()
                return true
            } catch let error as TransferError where error.code == .usage {
                // It stores no logins, and throws.
                return true
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return false
    }

    func send(_ effect: Effect) {
        switch effect {
        case .add(let request):
            adding.enter()
            Task { [mailbox, add, adding] in
                mailbox.post(.added(await add(request)))
                adding.leave()
            }
        case .lookAhead(let request, let serial):
            guard let lookAhead else { return mailbox.post(.outlook(AddOutlook(), serial)) }
            lookAhead.send(request, serial)
        case .edit(let request):
            guard let edit else { return }
            adding.enter()
            Task { [mailbox, adding] in
                mailbox.post(.edited(await edit(request)))
                adding.leave()
            }
        case .run(let line) where line.hasPrefix("relocate "):
            guard let run else { return }
            // It may copy files for minutes.
            adding.enter()
            Task { [mailbox, adding] in
                mailbox.post(.ran(line, await run(line)))
                adding.leave()
            }
        case .on(let machine, let line):
            guard let on else { return }
            // Connecting takes as long as ssh does: commands of this queue do not wait for it.
            Task { [mailbox, words] in
                do {
                    mailbox.post(.switched(try await on(machine), line))
                } catch {
                    mailbox.post(.ran(line, CommandOutcome(error: Self.message(of: error, words))))
                }
            }
        case .open(let path):
            let hasStarted = opening.start { [mailbox, open] in
                if let problem = open?(path) { mailbox.post(.refused(problem)) }
            }
            if !hasStarted {
                mailbox.post(.refused("not opened: \(Self.mostOpen) programs show files from here; close one of them"))
            }
        case .lookAheadOfEdit(let request, let serial):
            guard let lookAheadOfEdit else { return mailbox.post(.editOutlook(EditOutlook(), serial)) }
            lookAheadOfEdit.send(request, serial)
        case .list(let folder, let serial):
            if !threads.start({ [mailbox] in mailbox.post(.listed(FolderReader.read(folder), serial)) }) {
                var listing = Picker.Listing()
                listing.error = "too many folders do not respond"
                mailbox.post(.listed(listing, serial))
            }
        default: continuation.yield(effect)
        }
    }

    /// Waits for pending commands, with a time limit: a hanging queue must not block the exit.
    func finish() {
        questions.finish()
        asking.cancel()
        attending.finish()
        samples.finish()
        sampling.cancel()
        continuation.finish()
        let end = DispatchTime.now() + .seconds(2)
        _ = isDone.wait(timeout: end)
        _ = adding.wait(timeout: end)
    }

    private static func carryOut(
        _ effect: Effect, _ client: any QueueClient, _ mailbox: Mailbox, _ options: TerminalProgram.Options
    ) async {
        let words = options.words.failure
        do {
            switch effect {
            case .perform(let command, let ids): try await client.perform(command, on: ids)
            case .setLimits(let limits): try await client.setLimits(limits)
            case .hold(let isHeld): try await client.setHeld(isHeld)
            case .undo:
                do {
                    mailbox.post(.undone(try await client.undo()))
                } catch let error as TransferError where error.fields.variant == .nothingToUndo {
                    mailbox.post(.nothingToUndo(words(error)))
                }
            case .run(let line): if let run = options.run { mailbox.post(.ran(line, await run(line))) }
            case .history(let place, let limit):
                do {
                    let found = try await client.history(HistoryQuery(before: place, limit: limit))
                    mailbox.post(.history(found, before: place, limit: limit))
                } catch {
                    mailbox.post(.noHistory(message(of: error, words)))
                }
            case .log(let query):
                do {
                    mailbox.post(.log(try await client.log(query), query))
                } catch {
                    // A queue without a log, or an older service, whose error has no cause of its own.
                    let code = (error as? TransferError)?.code
                    mailbox.post(.noLog(isFinal: code == .usage || code == .other))
                }
            case .find(let ids):
                var found: [Transfer] = []
                for id in ids { if let info = try? await client.info(id) { found.append(info.transfer) } }
                mailbox.post(.found(found))
            case .inform(let id):
                do {
                    mailbox.post(.details(try await client.info(id)))
                } catch {
                    mailbox.post(.noDetails(id))
                }
            case .add, .edit, .lookAhead, .lookAheadOfEdit, .list, .open, .on, .copy, .redraw, .suspend, .quit: break
            }
        } catch {
            mailbox.post(.refused(message(of: error, words)))
        }
    }

    private static func message(of error: any Error, _ words: (TransferError) -> String) -> String {
        (error as? TransferError).map(words) ?? String(describing: error)
    }
}
