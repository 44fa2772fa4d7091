// SPDX-License-Identifier: MIT

import Foundation

/// `probe list` prints the probes, one a line: number, limit, whether it needs the server's authority, section and call
/// between tabs. `probe N` asks one.
let probes =
    configurationProbes + connectionProbes + cookieProbes + cacheProbes + taskProbes + transferProbes + downloadProbes
    + sessionProbes + redirectProbes + challengeProbes + protocolProbes + asynchronousProbes

if CommandLine.arguments.dropFirst().first == "list" {
    for (number, probe) in probes.enumerated() {
        print("\(number)\t\(probe.limit)\t\(probe.trustsServer)\t\(probe.section)\t\(probe.call)")
    }
} else if let number = CommandLine.arguments.dropFirst().first.flatMap(Int.init), probes.indices.contains(number) {
    do {
        try probes[number].ask(Findings())
    } catch {
        print("throws \(words(error))")
    }
    exit(0)
} else {
    print("usage: probe list | probe NUMBER")
    exit(2)
}
