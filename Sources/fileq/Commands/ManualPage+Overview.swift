// SPDX-License-Identifier: MIT

/// `fileq(1)`: the commands in one line each, and what all of them share.
extension ManualPage {
    static func overview(_ tool: CommandInventory, _ pages: [(name: String, command: CommandInventory)]) -> ManualPage {
        var page = ManualWriter()
        page.begin("fileq", section: 1, "transfer files over HTTP, and resume what was interrupted")
        page.macro("Sh SYNOPSIS")
        page.macro("Nm fileq")
        page.macro("Op Ar command")
        page.macro("Op Ar option ...")
        page.macro("Op Ar argument ...")
        page.macro("Sh DESCRIPTION")
        page.paragraphs(tool.discussion ?? "")
        page.macro("Sh COMMANDS")
        page.line(
            "Each has a page of its own. Without a command, the interface opens. Options of several commands are in")
        page.macro("Xr fileq-options 7 .")
        page.macro("Bl -tag -width Ds")
        for (name, command) in pages {
            page.macro("It Xr \(name) 1")
            page.paragraphs(command.abstract ?? "")
        }
        page.macro("El")
        describeOutput(on: &page)
        describeEnvironment(on: &page)
        describeFiles(on: &page)
        page.macro("Sh EXIT STATUS")
        page.macro("Bl -tag -width 4n")
        for entry in ExitStatus.table {
            page.macro("It \(entry.number)")
            page.line(entry.meaning)
        }
        page.macro("El")
        page.examples(
            [
                "fileq get https://example.org/disk.iso",
                "fileq put -r photos https://example.org/backup/",
                "fileq add https://example.org/disk.iso",
                "fileq list state:failed",
                "fileq demo",
            ])
        page.macro("Sh SEE ALSO")
        page.macro("Xr curl 1 ,")
        page.macro("Xr netrc 5 ,")
        page.macro("Xr fileq-options 7")
        return ManualPage(name: "fileq", section: 1, text: page.text)
    }

    private static func describeOutput(on page: inout ManualWriter) {
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

    private static func describeEnvironment(on page: inout ManualWriter) {
        page.macro("Sh ENVIRONMENT")
        let variables: [(name: String, meaning: String)] = [
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
        page.list(variables, as: "Ev")
    }

    private static func describeFiles(on page: inout ManualWriter) {
        page.macro("Sh FILES")
        let files: [(name: String, meaning: String)] = [
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
                "$XDG_CONFIG_HOME/fileq/config.toml, inhibit-sleep",
                "false: the machine may suspend while transfers of the background queue run. By default "
                    + "systemd-inhibit prevents that."
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
        page.list(files, as: "Pa")
    }
}
