// SPDX-License-Identifier: MIT

import ArgumentParser

/// Files generated from the commands and committed, so that an installation does not need to generate them.
enum GeneratedFiles {
    /// Path below `assets`, and its content.
    static func all() -> [(path: String, text: String)] {
        // With the path of `make install`; `fileq service install` writes them with the actual path.
        let units = SystemdUnits(program: "/usr/local/bin/fileq", home: nil, socketPath: nil)
        let pages = ManualPage.all().map { ("man/\($0.name).\($0.section)", $0.text) }
        return pages + [
            ("completions/fileq.bash", FileqCommand.completionScript(for: .bash) + "\n"),
            ("completions/_fileq", FileqCommand.completionScript(for: .zsh) + "\n"),
            ("completions/fileq.fish", FileqCommand.completionScript(for: .fish) + "\n"),
        ] + units.files.map { ("systemd/\($0.name)", $0.text) }
    }
}
