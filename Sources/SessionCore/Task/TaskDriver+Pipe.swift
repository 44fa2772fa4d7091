// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// An answer that is read through a stream task.
extension TaskDriver {
    func openPipe(_ head: HTTPResponse, _ session: TransferSession) -> BodyDisposition {
        let pipe = ResponsePipe { [weak self] isPaused in
            guard let self else { return }
            let session = guarded.withLock { guarded in
                guarded.isPipeFull = isPaused
                return guarded.session
            }
            if let session { holdOrLetGo(session) }
        } cancel: { [weak self] in
            self?.call { $0.cancel() }
        }
        guarded.withLock { $0.pipe = pipe }
        let route = Exchange(url: guarded.withLock { $0.plan?.url } ?? request.url, method: .connect)
        let stream = session.addStream(route, over: pipe)
        announceHead(head)
        announce([.becameStream(stream)])
        return .deliver
    }
}
