// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// What servers announce about the size of uploads and requests.
extension UploadMachineTests {
    /// What is known of the server may be outdated.
    @Test func failuresBecauseOfTheAnnouncementAreMarked() {
        let (known, small) = (UploadSupport.ietf(.v8, UploadLimits()), UploadLimits(maximumSize: 100))
        for (support, status, expected, isMarked): (UploadSupport, Int?, String, Bool) in [
            (.ietf(.v8, small), nil, "end 22", true), (known, 413, "refused 22", true),
            (known, 405, "refused 22", true),
            (known, 201, "end 55", true), (known, 403, "refused 22", false), (known, 409, "refused 22", false),
            (known, 503, "failed 22", false),
        ] {
            var talk = Talk(.ietf)
            var step = talk.begin(support)
            if let status { step = talk.says(status) }
            #expect(step == expected && talk.machine.failedForSupport == isMarked, "\(expected) after \(status ?? 0)")
        }
    }
}
