// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// A response that is read through a stream task.
extension TaskDriver {
    func openPipe(_ head: HTTPResponse, _ session: TransferSession) -> BodyDisposition {
        let pipe = ResponsePipe { [weak self] isPaused in
            self?.post { driver in
                driver.call { machine in
                    machine.isReaderBehind = isPaused
                    return .none
                }
            }
        } cancel: { [weak self] in
            self?.cancel()
        }
        storage.pipe = pipe
        let route = Exchange(url: machine.plan.url, method: .connect)
        let stream = session.addStream(route, over: pipe)
        announceHead(head, session)
        announce([.becameStream(stream)], session)
        session.closeWriting(of: stream, self)
        return .deliver
    }
}
