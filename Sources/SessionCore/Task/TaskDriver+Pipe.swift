// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// An answer that is read through a stream task.
extension TaskDriver {
    func openPipe(_ head: HTTPResponse, _ session: TransferSession) -> BodyDisposition {
        let pipe = ResponsePipe { [weak self] isPaused in
            self?.change { guarded, _ in
                guarded.machine.isReaderBehind = isPaused
                return .none
            }
        } cancel: { [weak self] in
            self?.call { $0.cancel() }
        }
        let url = guarded.withLock { guarded in
            guarded.storage.pipe = pipe
            return guarded.machine.plan.url
        }
        let route = Exchange(url: url, method: .connect)
        let stream = session.addStream(route, over: pipe)
        announceHead(head, session)
        announce([.becameStream(stream)], session)
        return .deliver
    }
}
