// SPDX-License-Identifier: MIT

import Testing
import TransferTesting

extension Integration {
    /// Completions of a shell, from the queue of the service.
    @Suite struct CompletionTests {
        /// The script in bash, as for `line` and the words that bash makes of it.
        private static let preparation = """
            "$FILEQ" generate made && . made/completions/fileq.bash || exit
            fileq() { "$FILEQ" "$@"; }
            completions() {
              COMP_LINE="$1"; COMP_POINT=${#1}; local typed="$2"; shift 2
              COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
              _fileq fileq "$typed" "${COMP_WORDS[COMP_CWORD - 1]}"; echo "${COMPREPLY[*]}"
            }

            """

        @Test func bashCompletesIDsFiltersAndValues() async throws {
            try await Stage.withService { stage in
                let added = try await stage.fileq(
                    "add", "get", "--paused", "http://a.test/one.iso", "http://b.test/two.iso")
                #expect(added.exit == 0, "\(added)")
                let outcome = try await stage.shell(
                    Self.preparation + """
                        completions 'fileq pause ' '' fileq pause ''
                        completions 'fileq list state:fa' fa fileq list state : fa
                        completions 'fileq list host:' '' fileq list host :
                        completions 'fileq set 1 --priority ' '' fileq set 1 --priority ''
                        completions 'fileq move 1 b' b fileq move 1 b
                        """)
                #expect(outcome.exit == 0, "\(outcome)")
                let lines = outcome.text.split(separator: "\n").map(String.init)
                try #require(lines.count == 5, "\(outcome)")
                #expect(lines[0].hasPrefix("1 2 ") && lines[0].contains(" state:failed "), "\(outcome)")
                #expect(lines[1...] == ["failed", "a.test b.test", "low normal high", "bottom"], "\(outcome)")
            }
        }

        /// Nor does it start a service.
        @Test func withoutAServiceFiltersAreCompleted() async throws {
            try await Stage.withService { stage in
                let outcome = try await stage.shell(
                    Self.preparation + "completions 'fileq list kind:' '' fileq list kind :")
                #expect(outcome.exit == 0 && outcome.text == "download upload\n", "\(outcome)")
                #expect(outcome.complaints.isEmpty && stage.serviceHolder == nil, "\(outcome)")
            }
        }
    }
}
