// SPDX-License-Identifier: MIT

import Listings
import TransferModel
import TransferService

/// What is listed, and how it is asked for.
struct ListingPlan {
    /// Of the folder; of a bucket, whose folder is the prefix.
    let url: TransferURL
    let options: PreparedOptions
    let isRecursive: Bool
    /// Levels of folders, as typed.
    let depth: Int?
    var settings: QueueSettings
    var bucket: (name: String, prefix: String)?
    /// Of the requests to a store.
    var signature: S3RequestSigner?

    /// Levels that are listed without a number.
    private static let usualDepth = 32

    init(url: TransferURL, options: PreparedOptions, isRecursive: Bool, depth: Int?) {
        (self.url, self.options, self.isRecursive, self.depth) = (url, options, isRecursive, depth)
        settings = options.limits
    }

    var levels: Int { isRecursive ? depth ?? Self.usualDepth : 1 }

    /// The requests for the folder itself. A store lists a whole tree in the fewest requests without its folders.
    var start: ListingRequests {
        guard let bucket else { return ListingRequests(url) }
        return ListingRequests(url, .store(prefix: bucket.prefix, isDeep: isRecursive && depth == nil))
    }

    /// As it is shown.
    var address: String { bucket.map { "s3://\($0.name)/\($0.prefix)" } ?? url.displayString }
}
