// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import TransferModel

/// `fileq generate FOLDER`, used by the build.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Write manual pages, completions and units.", shouldDisplay: false)

    @Argument(help: "The folder that contains man, completions and systemd.")
    var folder: String

    func run() throws {
        for file in GeneratedFiles.all() {
            let path = "\(folder)/\(file.path)"
            let parent = String(path[..<(path.lastSlash ?? path.endIndex)])
            do {
                try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: URL(filePath: path))
            } catch {
                throw TransferError(.cannotWrite, "'\(path)' cannot be written")
            }
        }
    }
}
