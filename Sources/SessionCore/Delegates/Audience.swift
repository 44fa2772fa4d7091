// SPDX-License-Identifier: MIT

/// A delegate with its families, looked up once.
struct Audience: Sendable {
    var session: (any TransferSessionDelegate)?
    var task: (any TransferTaskDelegate)?
    var data: (any TransferDataDelegate)?
    var download: (any TransferDownloadDelegate)?
    var interests: Interests = []

    init(_ delegate: (any TransferSessionDelegate)?) {
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
