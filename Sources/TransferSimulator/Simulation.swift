// SPDX-License-Identifier: MIT

import CSimulation
import Foundation
import Glibc

/// Connects the replaced functions of the process with the run under way.
final class Simulation: @unchecked Sendable {  // Used on one thread.
    static let shared = Simulation()
    var world: World?

    static func install() {
        var hooks = csimulation_hooks()
        hooks.enqueue = { queue, block in
            guard let queue, let block else { return }
            if let world = Simulation.shared.world { return world.machine.enqueue(queue, block) }
            csimulation_drop(queue, block)
        }
        hooks.enqueue_at = { time, queue, block in
            guard let queue, let block else { return }
            if let world = Simulation.shared.world {
                return world.machine.enqueue(at: Double(time) / 1e9, queue, block)
            }
            csimulation_drop(queue, block)
        }
        hooks.drain = { queue in if let queue { Simulation.shared.world?.machine.drain(queue) } }
        hooks.enqueue_job = { job in if let job { Simulation.shared.world?.machine.enqueue(job: job) } }
        hooks.now = { UInt64((Simulation.shared.world?.machine.now ?? 0) * 1e9) }
        hooks.before = { call, descriptor, path in
            Simulation.shared.world?.disk.before(call, descriptor, path) ?? 0
        }
        hooks.after = { call, descriptor, from, to in
            Simulation.shared.world?.disk.after(
                call, descriptor, from.map { String(cString: $0) }, to.map { String(cString: $0) })
        }
        hooks.wrote = { descriptor, at, count in
            Simulation.shared.world?.disk.wrote(descriptor, Int(at), Int(count))
        }
        csimulation_install(hooks)
    }

    static func watchFiles(_ watches: Bool) { _ = csimulation_watch_files(watches ? 1 : 0) }

    static func watchWrites(_ watches: Bool) { csimulation_watch_writes(watches ? 1 : 0) }

    /// For files that the simulator itself reads and writes.
    static func unwatched<Value>(_ body: () -> Value) -> Value {
        let before = csimulation_watch_files(0)
        defer { _ = csimulation_watch_files(before) }
        return body()
    }

    /// As the end of a process does: locks end. The numbers stay in use until their owners close them.
    static func releaseDescriptors(below folder: String) { csimulation_release(folder) }

    /// After a course: closes what those of its tasks have open that never continue.
    static func reclaimDescriptors() { csimulation_reclaim() }

    /// Tasks that never continue are reported by the runtime, once each.
    static func quietly(_ body: () -> Void) {
        fflush(nil)
        let old = dup(2)
        let nowhere = open("/dev/null", O_WRONLY)
        dup2(nowhere, 2)
        close(nowhere)
        body()
        fflush(nil)
        dup2(old, 2)
        close(old)
    }
}
