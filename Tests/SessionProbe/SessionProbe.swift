// SPDX-License-Identifier: MIT

import Dispatch
import FileQTransfer
import Glibc

/// A program that uses the product `FileQTransfer` alone, for tests that need one to end, or a network of its own.
///
/// `SessionProbe end WAY URL AUTHORITY`: asks once and ends with code 0 in the way that ``Ending`` names.
/// `SessionProbe get URL FILE [OPTION…]`: a download of a ready-made session, see ``Download``.
@main
struct SessionProbe {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "end" where words.count == 4: try Ending.run(words[1], url: words[2], authority: words[3])
        case "get" where words.count >= 3:
            try Download.run(url: words[1], file: words[2], options: Array(words.dropFirst(3)))
        default: exit(2)
        }
    }
}

func say(_ line: String) {
    let text = line + "\n"
    _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
}
