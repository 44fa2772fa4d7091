// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Starts the service in a new session without terminal and inherited descriptors, and waits for its readiness.
struct ServiceStarter: Sendable {
    let program: String
    let arguments: [String]
    let environment: [String: String]
    /// Named in messages.
    let log: String

    /// Maximum output before readiness.
    private static let maximumBytes = 16_384

    /// Blocks until the service is ready.
    /// - Throws: the service's start-up error; code `timedOut` without a message for `seconds`; `other` if it cannot be
    ///   started.
    func start(within seconds: Double) throws(TransferError) {
        let (child, ours) = try spawn()
        defer { ChildReaper.await(child) }
        var said: [UInt8] = []
        let end = SystemClock.monotonic + seconds
        while said.count < Self.maximumBytes {
            let left = end - SystemClock.monotonic
            var wait = pollfd(fd: ours.number, events: Int16(POLLIN), revents: 0)
            let found = left > 0 ? poll(&wait, 1, Int32((left * 1000).rounded(.up))) : 0
            if found < 0, errno == EINTR { continue }
            guard found > 0 else {
                throw TransferError(.timedOut, .serviceNotReady, child.pid, Int(seconds), log)
            }
            guard let bytes = try? ours.read(upTo: 4096), !bytes.isEmpty else { break }
            said += bytes
            switch Self.readiness(in: said) {
            case .ready: return
            case .failed(let error): throw error
            case nil: break
            }
        }
        throw Self.reason(said, program: program, log: log)
    }

    /// The first readiness message. No I/O.
    static func readiness(in said: [UInt8]) -> ServiceReadiness? {
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        return ServiceReadiness.first(in: lines)
    }

    /// Why it ended without a message, from the end of its output. No I/O.
    static func reason(_ said: [UInt8], program: String, log: String) -> TransferError {
        let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { line in
            // The prefix of error messages.
            let name = "\(program.lastPathPart ?? ""): "
            return String((line.hasPrefix(name) ? line.dropFirst(name.count) : line).prefix(300))
        }
        guard let words else {
            return TransferError(.other, .serviceEndedSilently, log, path: log, variant: .serviceSilent)
        }
        return TransferError(.other, .serviceEndedSaying, words, path: log)
    }

    /// The service, and its output until readiness.
    private func spawn() throws(TransferError) -> (Child, said: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw UnixSocket.failure(.start, nil, errno)
        }
        let (ours, theirs) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
        let said = Spawn.Stream.descriptor(theirs)
        // The last one is `ServiceReadiness.descriptor`.
        let spawn = Spawn(
            [program] + arguments, environment: environment.map { "\($0.key)=\($0.value)" },
            streams: [.null, .null, said, said], group: .session)
        do {
            return (try spawn.start(), ours)
        } catch {
            throw UnixSocket.failure(.start, program, error.errno)
        }
    }
}

/// Reaps started services, so that none stays a zombie while this process lives.
private enum ChildReaper {
    static func await(_ child: Child) {
        var thread = pthread_t()
        let number = UnsafeMutableRawPointer(bitPattern: Int(child.pid))
        let code = pthread_create(
            &thread, nil,
            { number in
                Child(pid: pid_t(Int(bitPattern: number))).reap()
                return nil
            }, number)
        if code == 0 { pthread_detach(thread) }
    }
}
