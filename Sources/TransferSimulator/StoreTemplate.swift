// SPDX-License-Identifier: MIT

import TransferModel
import TransferStore

/// An empty store, made once in a process: making its tables takes longer than the rest of a short course.
final class StoreTemplate: @unchecked Sendable {  // Used on one thread.
    static let shared = StoreTemplate()
    private var files: [(name: String, bytes: [UInt8])] = []

    /// Before the functions of the process are replaced.
    func make(in folder: String) {
        Files.remove(folder)
        do throws(TransferError) { try TransferStore(folder: folder, time: 0).close() } catch { return }
        files = Files.names(folder).filter { $0.hasPrefix("queue.sqlite") }.compactMap { name in
            Files.read("\(folder)/\(name)").map { (name, $0) }
        }
        Files.remove(folder)
    }

    func lay(in folder: String) { for (name, bytes) in files { Files.write(bytes, to: "\(folder)/\(name)") } }
}
