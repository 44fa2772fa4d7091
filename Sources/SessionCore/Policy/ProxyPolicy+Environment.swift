// SPDX-License-Identifier: MIT

import Foundation

extension ProxyPolicy.Configuration {
    /// The environment of this process, as it is now.
    public static var processEnvironment: Self { .environment(ProcessInfo.processInfo.environment) }
}
