// SPDX-License-Identifier: MIT

/// A delegate with its families, looked up once.
package struct Audience: Sendable {
    var session: (any TransferSessionDelegate)?
    var task: (any TransferTaskDelegate)?
    var data: (any TransferDataDelegate)?
    var download: (any TransferDownloadDelegate)?
    var interests: Interests = []

    /// A delegate of these families alone, which are known without a lookup: each takes as long as hundreds of calls.
    package init(
        known delegate: some TransferDataDelegate & TransferDownloadDelegate & TransferTaskChallengeDelegate
    ) {
        (session, task, data, download, interests) = (delegate, delegate, delegate, delegate, .taskChallenge)
    }

    package init(_ delegate: (any TransferSessionDelegate)?) {
        guard let delegate else { return }
        session = delegate
        task = delegate as? any TransferTaskDelegate
        data = delegate as? any TransferDataDelegate
        download = delegate as? any TransferDownloadDelegate
        if delegate is any TransferSessionChallengeDelegate { interests.insert(.sessionChallenge) }
        if delegate is any TransferTaskChallengeDelegate { interests.insert(.taskChallenge) }
        if delegate is any TransferRedirectDelegate { interests.insert(.redirect) }
        if delegate is any TransferResponseDelegate { interests.insert(.response) }
        if delegate is any TransferUploadDelegate { interests.insert(.newBody) }
        if delegate is any TransferCacheDelegate { interests.insert(.caching) }
        if delegate is any TransferDelayDelegate { interests.insert(.delay) }
    }
}
