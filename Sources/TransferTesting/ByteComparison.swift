// SPDX-License-Identifier: MIT

import Glibc

// Debug builds compare arrays element by element, through a witness: a tenth of a second for a file of some megabytes.

package func == (left: [UInt8], right: [UInt8]) -> Bool {
    left.count == right.count
        && left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let a = left.baseAddress, let b = right.baseAddress else { return true }
                return memcmp(a, b, left.count) == 0
            }
        }
}

package func == (left: [UInt8]?, right: [UInt8]?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left == right
    default: false
    }
}
