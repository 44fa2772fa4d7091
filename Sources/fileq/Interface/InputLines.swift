// SPDX-License-Identifier: MIT

import Glibc

/// The lines of standard input, read on a thread of its own, since reading blocks.
actor InputLines {
    private let stream: AsyncStream<String>
    private var iterator: AsyncStream<String>.Iterator

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        (self.stream, iterator) = (stream, stream.makeAsyncIterator())
        let box = Unmanaged.passRetained(Box(continuation))
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
                while let line = readLine() { box.continuation.yield(line) }
                box.continuation.finish()
                return nil
            }, box.toOpaque())
        if started == 0 { pthread_detach(thread) } else { box.takeRetainedValue().continuation.finish() }
    }

    /// `nil` at the end of the input, or if the caller was cancelled.
    /// - Parameter repeatingPrompt: of a line that a terminal does not show: shows the prompt again, after the process
    ///   was stopped.
    func next(hidden repeatingPrompt: (@Sendable () -> Void)? = nil) async -> String? {
        let hiding = repeatingPrompt.flatMap { HiddenInput(STDIN_FILENO, whenContinued: $0) }
        defer { hiding?.end() }
        var iterator = iterator
        defer { self.iterator = iterator }
        guard let line = await iterator.next(isolation: self) else { return nil }
        // Ctrl-Z among them, which stops nothing meanwhile.
        return hiding == nil ? line : String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 }))
    }

    private final class Box: Sendable {
        let continuation: AsyncStream<String>.Continuation
        init(_ continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }
    }
}
