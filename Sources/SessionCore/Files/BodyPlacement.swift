// SPDX-License-Identifier: MIT

import Synchronization

/// How an exchange writes its body into a file: at the end of the file, so that a file that another program truncates
/// stays too short; or, once other exchanges write the same file, at the position of the bytes.
///
/// Changed from any thread, before the first other exchange starts; read for each write.
package final class BodyPlacement: Sendable {
    private let positions: Atomic<Bool>

    package init(isPositioned: Bool = false) { positions = Atomic(isPositioned) }

    package var isPositioned: Bool {
        get { positions.load(ordering: .acquiring) }
        set { positions.store(newValue, ordering: .releasing) }
    }
}
