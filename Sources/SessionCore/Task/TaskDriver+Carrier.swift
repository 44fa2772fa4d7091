// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// What a task asks of the one who drives it in this process.
extension TaskDriver: TaskCarrier {
    var audience: Audience {
        get { guarded.withLock { $0.delegate } }
        set { guarded.withLock { guarded in if !guarded.machine.isEnded { guarded.delegate = newValue } } }
    }

    var priority: Double {
        get { guarded.withLock { $0.settings.priority } }
        set { setPriority(newValue) }
    }

    var earliestBegin: Double? {
        get { guarded.withLock { $0.settings.earliestBegin } }
        set { guarded.withLock { $0.settings.earliestBegin = newValue } }
    }

    var taskDescription: String? {
        get { guarded.withLock { $0.settings.taskDescription } }
        set { guarded.withLock { $0.settings.taskDescription = newValue } }
    }

    var clientExpects: (toSend: Int64?, toReceive: Int64?) {
        get { guarded.withLock { $0.settings.clientExpects } }
        set { guarded.withLock { $0.settings.clientExpects = newValue } }
    }

    var pathWait: PathWait? { guarded.withLock { $0.machine.wait } }

    func resume() { call { $0.resume() } }
    func suspend() { call { $0.suspend() } }
    func cancel() { call { $0.cancel() } }
    func fail(_ error: TransferError) { call { $0.fail(error) } }
}
