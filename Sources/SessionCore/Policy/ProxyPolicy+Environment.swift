// SPDX-License-Identifier: MIT

import Foundation

extension ProxyPolicy.Configuration {
    /// The environment of this process.
    public static var processEnvironment: Self { .environment(ProcessInfo.processInfo.environment) }
}
