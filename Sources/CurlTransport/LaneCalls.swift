// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import TransferModel

/// The result of a call that a lane made on the file of an exchange.
enum FileReply: Sendable {
    /// Bytes that are in the file now.
    case stored(Int)
    case read([UInt8], turn: Int)
    case failed(ExchangeFailure.Cause)
}

/// Makes the calls on an exchange's file by its lane, and posts their results to the engine. From any thread.
struct LaneCalls: Sendable {
    let lane: any FileLane
    let id: ExchangeID
    let mailbox: Mailbox

    func perform(_ call: WriteQueue.Call, on descriptor: Int32, _ placement: BodyPlacement?) {
        perform {
            switch call {
            case .reserve(let length):
                let failure = BodySink.reserve(descriptor, length)
                return failure.map { .failed(.cannotWrite(errno: $0)) } ?? .stored(0)
            case .write(let bytes, let position):
                return bytes.withUnsafeBytes { bytes in
                    let isPositioned = placement?.isPositioned ?? false
                    return
                        switch BodySink.writeAll(
                            bytes, to: descriptor, at: position, isPositioned: isPositioned)
                    {
                    case .took(let count): .stored(count)
                    case .failed(let errno): .failed(.cannotWrite(errno: errno))
                    }
                }
            }
        }
    }

    /// - Parameter offset: of the body in the file.
    func perform(_ call: ReadQueue.Call, on descriptor: Int32, from offset: Int64) {
        perform {
            var failure: ExchangeFailure.Cause?
            let bytes = [UInt8](unsafeUninitializedCapacity: call.count) { buffer, count in
                let room = UnsafeMutableRawBufferPointer(buffer)
                switch BodySource.readSome(descriptor, at: offset + call.position, room) {
                case .read(let got): count = got
                case .failed(let cause): failure = cause
                case .wait: break
                }
            }
            return failure.map { .failed($0) } ?? .read(bytes, turn: call.turn)
        }
    }

    private func perform(_ call: @escaping @Sendable () -> FileReply) {
        lane.perform { () throws(TransferError) -> FileReply in
            call()
        } reply: { [id, mailbox] result in
            switch result {
            case .success(let reply): mailbox.post(.file(id, reply))
            case .failure(let error): mailbox.post(.file(id, .failed(.file(error))))
            }
        }
    }
}
