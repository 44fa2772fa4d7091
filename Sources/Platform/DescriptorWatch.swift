// SPDX-License-Identifier: MIT

import CLinux
package import Dispatch
import Glibc
import Synchronization

/// Reports when a socket or pipe is ready. Dispatch sources would, too; but where many come and go, libdispatch on
/// Linux frees what its epoll still refers to, which ends the process
/// (https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949).
package final class DescriptorWatch: Sendable {
    package struct Readiness: OptionSet, Sendable, Hashable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let reading = Readiness(rawValue: 1)
        package static let writing = Readiness(rawValue: 2)
    }

    private let descriptor: Int32
    private let number: UInt64

    /// - Parameters:
    ///   - descriptor: stays open until ``end()``.
    ///   - handle: called on `queue`, once for each ``notify(when:)`` at most. An error, and the end of the other side,
    ///     count as all readiness.
    package init(
        _ descriptor: Int32, on queue: DispatchQueue, _ handle: @escaping @Sendable (Readiness) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        number = try DescriptorPoll.shared.add(descriptor, queue, handle)
    }

    /// Replaces what was asked for before. Any thread.
    package func notify(when readiness: Readiness) {
        DescriptorPoll.shared.arm(descriptor, number, readiness)
    }

    /// Called on `queue`, `handle` is not called any more; the descriptor may be closed. Once.
    package func end() { DescriptorPoll.shared.remove(descriptor, number) }
}

/// One epoll(7) and one thread for all watches of the process.
private final class DescriptorPoll: Sendable {
    static let shared = DescriptorPoll()

    private struct Watched: Sendable {
        let queue: DispatchQueue
        let handle: @Sendable (DescriptorWatch.Readiness) -> Void
    }

    private struct State {
        /// -1: there is none yet.
        var epoll: Int32 = -1
        var lastNumber: UInt64 = 0
        var watched: [UInt64: Watched] = [:]
    }

    private let state = Mutex(State())

    func add(
        _ descriptor: Int32, _ queue: DispatchQueue, _ handle: @escaping @Sendable (DescriptorWatch.Readiness) -> Void
    ) throws(SystemError) -> UInt64 {
        let result: Result<UInt64, SystemError> = state.withLock { state in
            if state.epoll < 0 {
                do throws(SystemError) { state.epoll = try start() } catch { return .failure(error) }
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let code = clinux_epoll_add(state.epoll, descriptor, number)
            guard code == 0 else { return .failure(SystemError("epoll_ctl", errno: code)) }
            state.watched[number] = Watched(queue: queue, handle: handle)
            return .success(number)
        }
        return try result.get()
    }

    func arm(_ descriptor: Int32, _ number: UInt64, _ readiness: DescriptorWatch.Readiness) {
        state.withLock { state in
            guard state.watched[number] != nil else { return }
            _ = clinux_epoll_arm(
                state.epoll, descriptor, number, readiness.contains(.reading) ? 1 : 0,
                readiness.contains(.writing) ? 1 : 0)
        }
    }

    func remove(_ descriptor: Int32, _ number: UInt64) {
        state.withLock { state in
            guard state.watched.removeValue(forKey: number) != nil else { return }
            clinux_epoll_remove(state.epoll, descriptor)
        }
    }

    /// - Returns: an epoll that a thread waits for.
    private func start() throws(SystemError) -> Int32 {
        let epoll = clinux_epoll_create()
        guard epoll >= 0 else { throw SystemError("epoll_create1", errno: errno) }
        var thread = pthread_t()
        // Signals are for other threads.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        let code = pthread_create(
            &thread, nil,
            { epoll in
                DescriptorPoll.shared.run(Int32(Int(bitPattern: epoll)))
                return nil
            }, UnsafeMutableRawPointer(bitPattern: Int(epoll)))
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            close(epoll)
            throw SystemError("pthread_create", errno: code)
        }
        pthread_detach(thread)
        return epoll
    }

    /// Never returns.
    private func run(_ epoll: Int32) {
        // An array would be copied each time: the optimizer releases nothing in a loop without end.
        let most = 64
        let ready = UnsafeMutablePointer<clinux_readiness>.allocate(capacity: most)
        while true {
            let count = Int(clinux_epoll_wait(epoll, ready, Int32(most)))
            for index in 0..<max(0, count) { deliver(ready[index]) }
        }
    }

    private func deliver(_ event: clinux_readiness) {
        guard let watched = watched(event.number) else { return }
        var readiness: DescriptorWatch.Readiness = []
        if event.is_readable != 0 { readiness.insert(.reading) }
        if event.is_writable != 0 { readiness.insert(.writing) }
        watched.queue.async { [self, readiness] in
            // It may have ended meanwhile, and its descriptor may be another one's.
            if self.watched(event.number) != nil { watched.handle(readiness) }
        }
    }

    private func watched(_ number: UInt64) -> Watched? { state.withLock { $0.watched[number] } }
}
