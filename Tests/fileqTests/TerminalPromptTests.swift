// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import Testing
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct TerminalPromptTests {
    /// Asks on a terminal, and types a text each time the question is shown.
    /// - Parameter texts: none: the question is cancelled.
    private func ask(
        _ wait: ForegroundWait, isHidden: Bool = false, typing texts: String...
    ) async throws -> (reply: TypedLine, shown: String) {
        let terminal = try TypedTerminal()
        let prompt = try #require(TerminalPrompt(terminal: terminal.device, awaitForeground: wait))
        async let reply = Self.reply(to: prompt, isHidden)
        for (index, text) in texts.enumerated() {
            let isShown = await eventually { terminal.questions == index + 1 }
            #expect(isShown)
            guard isShown else { break }
            terminal.type(text)
        }
        if texts.isEmpty { prompt.cancel() }
        let isOver = await reply
        return (isOver, terminal.shown)
    }

    private static func reply(to prompt: TerminalPrompt, _ isHidden: Bool) async -> TypedLine {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                done.resume(returning: prompt.line(TypedTerminal.question, isHidden: isHidden))
            }
        }
    }

    private static let inForeground = ForegroundWait(standing: { _ in .foreground }, report: {})

    @Test(arguments: [("bob\n", TypedLine.line("bob")), ("\u{4}", .ended)])
    func reads(_ typed: String, _ reply: TypedLine) async throws {
        #expect(try await ask(Self.inForeground, typing: typed).reply == reply)
    }

    @Test(arguments: [("pass\r", TypedLine.line("pass")), ("\u{4}", .ended)])
    func readsWithoutEcho(_ typed: String, _ reply: TypedLine) async throws {
        let (found, shown) = try await ask(Self.inForeground, isHidden: true, typing: typed)
        #expect(found == reply)
        #expect(!shown.contains("pass"))
    }

    @Test func asksInTheForegroundOnly() async throws {
        let looks = Looks(background: 1...2)
        let reports = Looks(background: 1...1)
        let wait = ForegroundWait(standing: { _ in looks.next() }, report: { _ = reports.next() })
        let (reply, shown) = try await ask(wait, typing: "bob\n")
        #expect(reply == .line("bob"))
        #expect(shown.hasPrefix(TypedTerminal.question))
        #expect(reports.count == 1)
    }

    /// The second look is at the input: it is the shell's.
    @Test func asksAgainAfterItWasInTheBackground() async throws {
        let looks = Looks(background: 2...2)
        let wait = ForegroundWait(standing: { _ in looks.next() }, report: {})
        #expect(try await ask(wait, typing: "ls\n", "bob\n").reply == .line("bob"))
    }

    /// The shell has used the terminal meanwhile, and turned echo on.
    @Test(arguments: [false, true]) func asksAgainWhenContinued(_ isHidden: Bool) async throws {
        let terminal = try TypedTerminal()
        let prompt = try #require(TerminalPrompt(terminal: terminal.device, awaitForeground: Self.inForeground))
        async let reply = Self.reply(to: prompt, isHidden)
        #expect(await eventually { terminal.questions == 1 })
        terminal.turnOnEcho()
        prompt.continued()
        #expect(await eventually { terminal.questions == 2 })
        terminal.type("pass\r")
        let typed = await reply
        #expect(typed == .line("pass"))
        #expect(terminal.shown.contains("pass") == !isHidden)
    }

    /// With the settings that the job had when it stopped, as some shells do.
    @Test func echoesAfterwardsWhenContinued() async throws {
        let terminal = try TypedTerminal()
        let prompt = try #require(TerminalPrompt(terminal: terminal.device, awaitForeground: Self.inForeground))
        async let reply = Self.reply(to: prompt, true)
        #expect(await eventually { terminal.questions == 1 })
        prompt.continued()
        #expect(await eventually { terminal.questions == 2 })
        terminal.type("pass\r")
        let typed = await reply
        #expect(typed == .line("pass"))
        #expect(terminal.echoes)
    }

    /// The password for `--user`, before a run.
    @Test(
        arguments: [
            ("pass\r", true, "pass"), ("pass\r", false, "pass"), ("\u{3}", false, nil), ("\u{4}", false, nil),
        ] as [(String, Bool, String?)])
    func asksForAPassword(_ typed: String, _ isStopped: Bool, _ password: String?) async throws {
        let terminal = try TypedTerminal()
        let interruptions = Counter()
        let prompt = try #require(
            TerminalPrompt(terminal: terminal.device, awaitForeground: Self.inForeground) { interruptions.add() })
        async let reply = Self.password(on: prompt)
        #expect(await eventually { terminal.questions == 1 })
        if isStopped {
            terminal.turnOnEcho()
            prompt.continued()
            #expect(await eventually { terminal.questions == 2 })
        }
        terminal.type(typed)
        let found = await reply
        let code: TransferError.Code? = password == nil ? .interrupted : nil
        #expect(found.password == password && found.code == code)
        #expect(!terminal.shown.contains("pass") && terminal.echoes)
        #expect(interruptions.count == (typed == "\u{3}" ? 1 : 0))
    }

    @Test func asksForNoPasswordWithoutTheTerminal() async throws {
        let terminal = try TypedTerminal()
        let wait = ForegroundWait(standing: { _ in .gone }, report: {})
        let prompt = try #require(TerminalPrompt(terminal: terminal.device, awaitForeground: wait))
        #expect(await Self.password(on: prompt).code == .usage)
        #expect(terminal.shown.isEmpty)
    }

    private static func password(on prompt: TerminalPrompt) async -> (password: String?, code: TransferError.Code?) {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                do throws(TransferError) {
                    done.resume(
                        returning: (try PasswordPrompt.reply(to: TypedTerminal.question, on: prompt), nil))
                } catch {
                    done.resume(returning: (nil, error.code))
                }
            }
        }
    }

    /// The password of the interface without a screen.
    @Test func hidesAgainWhenContinued() throws {
        let terminal = try TypedTerminal()
        defer { close(terminal.device) }
        let prompts = Counter()
        let hiding = try #require(
            HiddenInput(terminal.device, endings: [], standing: { _ in .foreground }) { prompts.add() })
        #expect(!terminal.echoes)
        // With the shell's settings, then with those that the job had when it stopped.
        for count in 1...2 {
            if count == 1 { terminal.turnOnEcho() }
            hiding.continued()
            #expect(!terminal.echoes && prompts.count == count)
        }
        hiding.end()
        #expect(terminal.echoes)
        hiding.continued()
        #expect(terminal.echoes && prompts.count == 2)
    }

    /// Ctrl-Z would leave the shell without echo.
    @Test func nothingTypedStopsWhileHidden() throws {
        let terminal = try TypedTerminal()
        defer { close(terminal.device) }
        #expect(terminal.suspends)
        let hiding = try #require(HiddenInput(terminal.device, endings: [], standing: { _ in .foreground }) {})
        #expect(!terminal.suspends)
        hiding.end()
        #expect(terminal.suspends)
    }

    @Test func canBeCancelledInTheBackground() async throws {
        let wait = ForegroundWait(standing: { _ in .background }, report: {})
        let (reply, shown) = try await ask(wait)
        #expect(reply == .cancelled)
        #expect(shown.isEmpty)
    }

    @Test func endsWithoutTheTerminal() throws {
        let terminal = try TypedTerminal()
        let wait = ForegroundWait(standing: { _ in .gone }, report: {})
        let prompt = try #require(TerminalPrompt(terminal: terminal.device, awaitForeground: wait))
        #expect(prompt.line(TypedTerminal.question, isHidden: false) == .ended)
        #expect(terminal.shown.isEmpty)
    }
}

/// Is in the background at some looks, counted from 1.
private final class Looks: Sendable {
    private let background: ClosedRange<Int>
    private let looks = Mutex(0)

    init(background: ClosedRange<Int>) { self.background = background }

    var count: Int { looks.withLock { $0 } }

    func next() -> TerminalStanding {
        let look = looks.withLock { looks in
            looks += 1
            return looks
        }
        return background.contains(look) ? .background : .foreground
    }
}

/// A terminal with a user.
private final class TypedTerminal: Sendable {
    static let question = "Name: "

    /// The prompt closes it.
    let device: Int32
    private let master: Int32
    private let bytes = Mutex<[UInt8]>([])

    init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        // Its number, unlocked (TIOCSPTLCK, TIOCGPTN).
        var (number, isLocked): (Int32, Int32) = (0, 0)
        try #require(ioctl(master, 0x4004_5431, &isLocked) == 0)
        try #require(ioctl(master, 0x8004_5430, &number) == 0)
        device = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit { close(master) }

    /// All output so far, echo included.
    var shown: String {
        bytes.withLock { bytes in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while case let count = read(master, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// How often the question was shown.
    var questions: Int { shown.split(separator: Self.question, omittingEmptySubsequences: false).count - 1 }

    /// Whether it shows what is typed.
    var echoes: Bool {
        var found = termios()
        tcgetattr(master, &found)
        return found.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Whether Ctrl-Z stops what reads from it.
    var suspends: Bool {
        var found = termios()
        tcgetattr(master, &found)
        return withUnsafeBytes(of: &found.c_cc) { $0[Int(VSUSP)] } == 0x1a
    }

    /// As shells do.
    func turnOnEcho() {
        var found = termios()
        tcgetattr(master, &found)
        found.c_lflag |= tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(master, TCSANOW, &found)
    }

    func type(_ text: String) { _ = write(master, text, text.utf8.count) }
}
