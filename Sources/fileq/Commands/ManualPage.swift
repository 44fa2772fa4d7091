// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// Generates `fileq(1)` in mdoc from the command definitions.
struct ManualPage {
    /// Date of the last change of the text.
    private static let date = "November 21, 2026"

    let text: String

    init(of tool: CommandInventory) {
        var page = Writer()
        page.macro("Dd \(Self.date)")
        page.macro("Dt FILEQ 1")
        page.macro("Os")
        page.macro("Sh NAME")
        page.macro("Nm fileq")
        page.macro("Nd transfer files over HTTP, and resume what was interrupted")
        let commands = Self.commands(of: tool)
        page.macro("Sh SYNOPSIS")
        for (path, command) in commands where command.subcommands == nil {
            page.macro("Nm fileq")
            page.macro("Cm \(path)")
            page.macro("Op Ar option ...")
            for argument in command.arguments ?? [] where argument.kind == .positional && argument.shouldDisplay {
                let name = argument.valueName ?? "value"
                // A name with dots stands for several arguments, the last of which is required.
                if name.contains("...") {
                    page.macro("Ar \(name)")
                } else {
                    page.macro((argument.isOptional ? "Op " : "") + "Ar \(name)" + (argument.isRepeating ? " ..." : ""))
                }
            }
            page.macro("Pp")
        }
        page.macro("Sh DESCRIPTION")
        page.paragraphs(tool.discussion ?? "")
        page.macro("Sh COMMANDS")
        for (path, command) in commands { Self.describe(command, path, on: &page) }
        Self.describeKeys(on: &page)
        Self.describeOutput(on: &page)
        Self.describeEnvironment(on: &page)
        Self.describeFiles(on: &page)
        page.macro("Sh EXIT STATUS")
        page.macro("Bl -tag -width 4n")
        for entry in ExitStatus.table {
            page.macro("It \(entry.number)")
            page.line(entry.meaning)
        }
        page.macro("El")
        page.macro("Sh SEE ALSO")
        page.macro("Xr curl 1 ,")
        page.macro("Xr netrc 5")
        text = page.text
    }

    /// Callable commands with their arguments, parents before subcommands.
    private static func commands(
        of parent: CommandInventory, path: String = ""
    ) -> [(path: String, command: CommandInventory)] {
        let shown = (parent.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        return shown.flatMap { command in
            let words = path.isEmpty ? command.commandName : "\(path) \(command.commandName)"
            return [(words, command)] + commands(of: command, path: words)
        }
    }

    private static func describe(_ command: CommandInventory, _ path: String, on page: inout Writer) {
        page.macro("Ss fileq \(path)")
        page.paragraphs(command.abstract ?? "")
        page.macro("Pp")
        page.paragraphs(command.discussion ?? "")
        guard command.subcommands == nil else { return }
        page.macro("Bl -tag -width Ds")
        for argument in command.arguments ?? [] where argument.shouldDisplay && argument.kind != .positional {
            var names = (argument.names ?? []).sorted { $0.kind == .short && $1.kind != .short }.map { name in
                name.kind == .long ? "Fl Fl \(name.name)" : "Fl \(name.name)"
            }.joined(separator: " , ")
            if argument.kind == .option { names += " Ar " + Writer.quoted(argument.valueName ?? "value") }
            page.macro("It \(names)")
            page.paragraphs(argument.abstract ?? "")
            if let value = argument.defaultValue { page.line("(default: \(value))") }
        }
        page.macro("El")
    }

    private static func describeKeys(on page: inout Writer) {
        page.macro("Sh KEYS")
        page.line("The keys of the interface.")
        page.line("The table [interface.keys] of the configuration changes them;")
        page.macro("Ql fileq keys")
        page.line("prints those in force, with the names of the actions.")
        for group in ActionGroup.allCases {
            page.macro("Ss \(group.rawValue)")
            page.macro("Bl -tag -width PgDn,Ctrl-F")
            for key in KeyMap.standard.help where key.group == group {
                page.macro("It " + Writer.quoted(key.label))
                page.line(key.help)
            }
            page.macro("El")
        }
    }

    private static func describeOutput(on page: inout Writer) {
        page.macro("Sh OUTPUT")
        page.paragraphs(
            """
            Standard output carries results only; progress and messages go to standard error: bars on a terminal, \
            one line per event with --plain or elsewhere, errors only with --quiet.

            With --json, standard output carries one JSON object per event:

              {"time":"2026-11-20T12:00:00.000Z","event":"progress","id":1,
               "kind":"download","url":"https://example.org/disk.iso",
               "file":"./disk.iso","state":"running","bytes":4096,
               "total":65536,"rate":1024,"eta":60,"attempt":1}

            event is queued, started, waiting, retrying, progress, resumed, restarted, paused, verifying, completed, \
            failed or cancelled; each transfer ends with one of the last three. The reason of restarted says why a \
            transfer restarted from its first byte although partial data existed. bytes is what moved, confirmed what \
            is stored: on this disk, or by the server's statement; uploadProtocol (ietf-8, ietf-6, ietf-5, ietf-3, \
            tus-1.0.0 or s3) is present if an upload can be resumed, finalURL if redirects led to another server, \
            connections if there are several, question if the transfer awaits a decision or a login. confirmed, \
            reason, status, error (code, name, message) and metrics are present if known. Units are bytes, bytes per \
            second and seconds. If the reader closes the pipe, the run exits with 23.

            With --share, an event shared with the link follows the ends of the uploads. With --dry-run all events \
            are planned, without time: kind, url and file, and if known total and status; exists is true if the \
            file exists, and error is what the question to its server failed with.

            While a transfer waits for the network, reason and since say why and since when; network is cellular, \
            expensive or constrained if the transfer may not use an available network. If a transfer fails instead \
            of waiting, reason and network are in error. While it is retrying, retryAt is the time of the next \
            attempt.
            """)
    }

    private static func describeEnvironment(on page: inout Writer) {
        page.macro("Sh ENVIRONMENT")
        page.macro("Bl -tag -width Ds")
        let variables = [
            (
                "FILEQ_OPTION",
                "The default of a long option, in capitals and with _ for -: FILEQ_REQUEST_TIMEOUT=30. Flags take 1 "
                    + "or 0, repeatable options one value per line."
            ),
            ("FILEQ_HOME", "One folder for configuration, state and socket, instead of the XDG folders."),
            ("http_proxy, https_proxy, all_proxy, no_proxy", "Proxies, as in curl."),
            ("NETRC", "The file with credentials, instead of ~/.netrc."),
            ("SSL_CERT_FILE, SSL_CERT_DIR", "The certificate authorities to trust, instead of the system's."),
            (
                "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_PROFILE",
                "What signs uploads to s3:// URLs: keys, or the profile of ~/.aws/credentials that has them."
            ),
            (
                "AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION",
                "The server and the region of s3:// URLs."
            ),
            ("NO_COLOR, CLICOLOR_FORCE, CLICOLOR", "Whether colours are used."),
        ]
        for (name, meaning) in variables {
            page.macro("It Ev " + Writer.quoted(name))
            page.line(meaning)
        }
        page.macro("El")
    }

    private static func describeFiles(on page: inout Writer) {
        page.macro("Sh FILES")
        page.macro("Bl -tag -width Ds")
        let files = [
            (
                "$XDG_CONFIG_HOME/fileq/config.toml",
                "Defaults of options, without the dashes: request-timeout = 30. Those at "
                    + "the top apply to every command with that option, those in a table such as [get] to that command."
            ),
            (
                "~/.aws/credentials, ~/.aws/config",
                "Keys, region and endpoint_url of profiles for s3:// URLs; AWS_SHARED_CREDENTIALS_FILE and "
                    + "AWS_CONFIG_FILE name other files. Only read."
            ),
            (
                "$XDG_CONFIG_HOME/fileq/config.toml, [network]",
                "prefer lists interfaces or kinds (wired, wifi, cellular, vpn) in the order of their use. "
                    + "The cost of networks, if the system does not know it: "
                    + "constrained = true applies to all; a table [network.interface.NAME] takes expensive, "
                    + "constrained and "
                    + "cellular for one interface, each true or false."
            ),
            (
                "$XDG_CONFIG_HOME/fileq/config.toml, [hooks]",
                "Programs that the background queue runs: on-start, on-complete, "
                    + "on-error and on-pause for a transfer, on-idle after the last one; each a list of "
                    + "arguments, or a string that "
                    + "is split at spaces; no shell reads it. FILEQ_EVENT, FILEQ_ID, FILEQ_STATE, FILEQ_KIND, "
                    + "FILEQ_PATH, FILEQ_URL, "
                    + "FILEQ_BYTES, FILEQ_REASON, FILEQ_ERROR and FILEQ_ERROR_CODE describe the event, if they "
                    + "apply; "
                    + "FILEQ_URL without the values of signatures and tokens. What runs "
                    + "longer than timeout seconds (60) is killed."
            ),
            (
                "$XDG_CONFIG_HOME/fileq/config.toml, [notify]",
                "Notifications of ends: when is unfocused (default), always or never; way is auto (default), terminal, "
                    + "desktop (notify-send), osc-9, osc-99 or osc-777; completed transfers are reported from min-size "
                    + "(bytes, or such as \"10M\"; default 0) and min-duration (seconds; default 10) on."
            ),
            (
                "$XDG_CONFIG_HOME/fileq/trusted-keys",
                "Keys of trusted servers whose certificates the system does not trust, "
                    + "one per line; see fileq trust."
            ),
            (
                "$XDG_CONFIG_HOME/fileq/credentials.json",
                "Passwords saved in the interface; only their owner may be able "
                    + "to read it. Remove it to forget them."
            ),
            (
                "$XDG_STATE_HOME/fileq/hsts.txt",
                "Servers that demand https (HSTS), in curl's format; fileq uses https for http:// URLs that "
                    + "name one of them. Remove it to forget them."
            ),
            (
                "$XDG_STATE_HOME/fileq/alternative-services.json",
                "HTTP/3 services that servers announced (Alt-Svc), if libcurl supports HTTP/3."
            ),
            (
                "$XDG_STATE_HOME/fileq/service.log",
                "The log of the background service; older entries are in service.log.1."
            ),
            (
                "$XDG_RUNTIME_DIR/fileq/control.sock",
                "The socket of the background service. Without XDG_RUNTIME_DIR it is in "
                    + "$XDG_STATE_HOME/fileq/run, with FILEQ_HOME in $FILEQ_HOME/run."
            ),
            (
                "NAME.fileq-part",
                "An incomplete download, with its metadata in NAME.fileq-part.json; the next "
                    + "run resumes from it. If it cannot be resumed, it stays until the next run receives "
                    + "the file again. A newer version is written to NAME.fileq-part-new, which replaces "
                    + "it when complete."
            ),
        ]
        for (name, meaning) in files {
            page.macro("It Pa \(name)")
            page.line(meaning)
        }
        page.macro("El")
    }

    /// Escapes text lines for roff, leaves macro lines unchanged.
    private struct Writer {
        private(set) var text = ""

        mutating func macro(_ line: String) { text += ".\(line)\n" }

        mutating func line(_ words: String) {
            let escaped = Self.escaped(words)
            text += (escaped.first == "." || escaped.first == "'" ? "\\&" : "") + escaped + "\n"
        }

        /// Blank lines separate paragraphs; indented lines are examples and keep their layout.
        mutating func paragraphs(_ words: String) {
            var isDisplay = false
            for words in words.split(separator: "\n", omittingEmptySubsequences: false) {
                let isIndented = words.hasPrefix("  ")
                if isIndented != isDisplay { macro(isIndented ? "Bd -literal -offset indent" : "Ed") }
                isDisplay = isIndented
                if words.isEmpty { macro("Pp") } else { line(String(words.drop { $0 == " " })) }
            }
            if isDisplay { macro("Ed") }
        }

        /// One macro argument with any content.
        static func quoted(_ words: String) -> String { "\"\(escaped(words))\"" }

        private static func escaped(_ words: String) -> String {
            var text = ""
            for scalar in words.unicodeScalars {
                switch scalar {
                case "\\": text += "\\e"
                case "-": text += "\\-"
                case _ where !scalar.isASCII: text += "\\[u\(hex(scalar))]"
                default: text.unicodeScalars.append(scalar)
                }
            }
            return text
        }

        private static func hex(_ scalar: Unicode.Scalar) -> String {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
