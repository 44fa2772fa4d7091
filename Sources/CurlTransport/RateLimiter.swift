// SPDX-License-Identifier: MIT

/// The limits for all exchanges together. Used on the engine's thread only.
final class RateLimiter {
    var download = TokenBucket(rate: nil, now: 0)
    var upload = TokenBucket(rate: nil, now: 0)

    /// Several uploads wait for their turn: one that has had its own waits behind them.
    var hasUploadQueue = false

    func set(download: Int?, upload: Int?, now: Double) {
        self.download.setRate(download, now: now)
        self.upload.setRate(upload, now: now)
    }
}
