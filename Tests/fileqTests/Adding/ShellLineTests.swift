// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

@Suite struct ShellLineTests {
    @Test(arguments: [
        ("", []), ("  \n ", []), ("curl a b", ["curl", "a", "b"]), ("a  'b c'\t\"d e\"", ["a", "b c", "d e"]),
        ("a''b \"\"", ["ab", ""]),
        ("curl \\\n  -L \\\r\n  x", ["curl", "-L", "x"]), ("\n curl a\n\n", ["curl", "a"]), ("a\\ b", ["a b"]),
        ("a'b'\"c\"d", ["abcd"]),
        (#""a\"b\\c\$d\`e\n""#, [#"a"b\c$d`e\n"#]), (#"'a\'b"#, [#"a\b"#]), ("\"a\\\nb\"", ["ab"]),
        (#"$'a\'b\n\t\\\x41\101\u00e9'"#, ["a'b\n\t\\AAé"]),
        (#"$'\ud83d\ude00\U0001f600'"#, ["😀😀"]), (#"$'\u0021'"#, ["!"]), (#"$"a b""#, ["a b"]), ("a$ $", ["a$", "$"]),
        (#"\$HOME"#, ["$HOME"]),
        ("'$HOME `x` | > &'", ["$HOME `x` | > &"]), ("a # b c", ["a"]), ("a#b", ["a#b"]),
        ("https://h/a?b=c*", ["https://h/a?b=c*"]),
        ("a;", ["a"]), ("a ;\n", ["a"]), ("夏 '冬 x'", ["夏", "冬 x"]), ("a~b", ["a~b"]), ("a\r\n", ["a"]),
        ("a # b\n", ["a"]),
    ])
    func splitsArgumentsLikeAShell(line: String, words: [String]) throws {
        #expect(try ShellLine.split(line) == words)
    }

    @Test(arguments: [
        ("a 'b", "quote"), ("a \"b", "quote"), ("a $'b", "quote"), ("a \\", "backslash"), ("a | b", "'|'"),
        ("a > b", "-o"), ("a < b", "-o"),
        ("https://h/?a=1&b=2", "quotes"), ("a; b", "quotes"), ("a && b", "quotes"), ("(a)", "quotes"),
        ("a `b`", "backticks"), ("a \"`b`\"", "backticks"),
        ("a $(b)", "$(…)"), ("a $B", "$B"), ("a \"$B_1x y\"", "$B_1x:"), ("a ${B}", "${…}"), ("a $1", "'$1'"),
        ("a ~/b", "~"), ("a\nb", "more than one command"),
        ("curl ^\"https://h/^\"", "cmd.exe"), ("curl a ^\n -L", "cmd.exe"), (#"$'\u'"#, "no digits"),
        (#"$'\ud800'"#, "no character"),
    ])
    func rejectsWhatNeedsAShell(line: String, part: String) {
        let error = #expect(throws: TransferError.self) { try ShellLine.split(line) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }
}
