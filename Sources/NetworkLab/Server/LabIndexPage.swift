// SPDX-License-Identifier: MIT

/// The response to `/`: every parameter, every fault, and example commands.
enum LabIndexPage {
    static func text(origin: String) -> String {
        let width = (LabBehaviour.parameters.map(\.name) + LabFault.allCases.map(\.rawValue)).map(\.count).max() ?? 0
        func row(_ name: String, _ meaning: String) -> String {
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(meaning)"
        }
        let parameters = LabBehaviour.parameters.map { row($0.name, $0.meaning) }
        let faults = LabFault.allCases.map { row($0.rawValue, $0.meaning) }
        return """
            fileq-lab: a server that does what the query says. Any path will do; GET and HEAD read a file of
            numbered lines, with ranges and a strong ETag; PUT and POST are answered with count and SHA-256.

            Parameters
            \(parameters.joined(separator: "\n"))

            Faults
            \(faults.joined(separator: "\n"))

            Examples
              curl '\(origin)/file?wait-head=2&wait-second=0.5'
              fileq get --request-timeout 1 '\(origin)/file?wait-second=3'
              fileq get -o file '\(origin)/file?size=10M&fault=reset&times=2'
              fileq get -o file '\(origin)/file?size=200k&rate=50k'
              fileq put README.md '\(origin)/upload?fault=stop-reading&at=1000'
              fileq get '\(origin)/file?fault=429&retry-after=3&times=1'

            """
    }
}
