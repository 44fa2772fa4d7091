// SPDX-License-Identifier: MIT

import ArgumentParser

/// The files that are made from the commands and kept with the sources, so that an installation needs nothing but them.
enum GeneratedFiles {
    /// Path below `assets`, and what belongs in it.
    static func all() -> [(path: String, text: String)] {
        // Where `make install` puts the program; `fileq service install` writes them for wherever it is.
        let units = SystemdUnits(program: "/usr/local/bin/fileq", home: nil, socketPath: nil)
        return [
            ("man/fileq.1", ManualPage(of: CommandInventory.read()).text),
            ("completions/fileq.bash", FileqCommand.completionScript(for: .bash) + "\n"),
            ("completions/_fileq", FileqCommand.completionScript(for: .zsh) + "\n"),
            ("completions/fileq.fish", FileqCommand.completionScript(for: .fish) + "\n"),
        ] + units.files.map { ("systemd/\($0.name)", $0.text) }
    }
}
