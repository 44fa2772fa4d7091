function __fileq_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __fileq_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __fileq_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __fileq_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __fileq_parse_tokens -S
    set -l unparsed_tokens (__fileq_tokens -pc)
    switch $unparsed_tokens[1]
    case 'fileq'
        __fileq_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'get'
            __fileq_parse_subcommand -r 1 'o/output=' 'd/directory=' 'sync' 'no-sync' 'skip-existing' 'N/if-newer' 'keep-both' 'checksum-file=' 'mirror=+' 'metalink=+' 'no-metalink' 'create-dirs' 'split=' 'X/method=' 'H/header=+' 'b/cookie=+' 'e/referer=' 'A/user-agent=' 'for-all-hosts' 'cookie-jar=' 'sid=' 'sid-file=' 'meta=+' 'user=' 'password-file=' 'token-file=' 'connect-timeout=' 'request-timeout=' 'response-timeout=' 'resource-timeout=' 'retry=' 'retry-max-wait=' 'max-redirs=' 'limit=' 'http=' 'pin=+' 'allow-downgrade' 'cacert=' 'no-wait' 'no-expensive' 'no-constrained' 'no-cellular' 'interface=' 'multipath=' 'now' 'cert=' 'key=' 'key-password-file=' 'trust=+' 'tls-min=' 'tls-max=' 'j/concurrent=' 'i/input=+' 'checksum=+' 'dry-run' 'allow-outside' 'overwrite' 'json' 'plain' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'put'
            __fileq_parse_subcommand -r 1 'r/recursive' 'follow' 'resumable=' 'split=' 'name=' 'no-overwrite' 'if-match=' 's3-endpoint=' 's3-region=' 's3-profile=' 's3-part-size=' 'share' 'qr' 'share-expires=' 'share-downloads=' 'share-password-file=' 'X/method=' 'H/header=+' 'b/cookie=+' 'e/referer=' 'A/user-agent=' 'for-all-hosts' 'cookie-jar=' 'sid=' 'sid-file=' 'meta=+' 'user=' 'password-file=' 'token-file=' 'connect-timeout=' 'request-timeout=' 'response-timeout=' 'resource-timeout=' 'retry=' 'retry-max-wait=' 'max-redirs=' 'limit=' 'http=' 'pin=+' 'allow-downgrade' 'cacert=' 'no-wait' 'no-expensive' 'no-constrained' 'no-cellular' 'interface=' 'multipath=' 'now' 'cert=' 'key=' 'key-password-file=' 'trust=+' 'tls-min=' 'tls-max=' 'j/concurrent=' 'i/input=+' 'checksum=+' 'dry-run' 'allow-outside' 'overwrite' 'json' 'plain' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'add'
            __fileq_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'get'
                __fileq_parse_subcommand -r 1 'o/output=' 'd/directory=' 'sync' 'no-sync' 'curl=' 'skip-existing' 'N/if-newer' 'keep-both' 'checksum-file=' 'mirror=+' 'metalink=+' 'no-metalink' 'create-dirs' 'split=' 'paused' 'at=' 'after=+' 'discretionary' 'priority=' 'X/method=' 'H/header=+' 'b/cookie=+' 'e/referer=' 'A/user-agent=' 'for-all-hosts' 'cookie-jar=' 'sid=' 'sid-file=' 'meta=+' 'user=' 'password-file=' 'token-file=' 'connect-timeout=' 'request-timeout=' 'response-timeout=' 'resource-timeout=' 'retry=' 'retry-max-wait=' 'max-redirs=' 'limit=' 'http=' 'pin=+' 'allow-downgrade' 'cacert=' 'no-wait' 'no-expensive' 'no-constrained' 'no-cellular' 'interface=' 'multipath=' 'now' 'cert=' 'key=' 'key-password-file=' 'i/input=+' 'checksum=+' 'dry-run' 'allow-outside' 'overwrite' 'json' 'q/quiet' 'on=' 'version' 'h/help'
            case 'put'
                __fileq_parse_subcommand -r 1 'r/recursive' 'follow' 'resumable=' 'split=' 'no-overwrite' 'if-match=' 's3-endpoint=' 's3-region=' 's3-profile=' 's3-part-size=' 'paused' 'at=' 'after=+' 'discretionary' 'priority=' 'X/method=' 'H/header=+' 'b/cookie=+' 'e/referer=' 'A/user-agent=' 'for-all-hosts' 'cookie-jar=' 'sid=' 'sid-file=' 'meta=+' 'user=' 'password-file=' 'token-file=' 'connect-timeout=' 'request-timeout=' 'response-timeout=' 'resource-timeout=' 'retry=' 'retry-max-wait=' 'max-redirs=' 'limit=' 'http=' 'pin=+' 'allow-downgrade' 'cacert=' 'no-wait' 'no-expensive' 'no-constrained' 'no-cellular' 'interface=' 'multipath=' 'now' 'cert=' 'key=' 'key-password-file=' 'i/input=+' 'checksum=+' 'dry-run' 'allow-outside' 'overwrite' 'json' 'q/quiet' 'on=' 'version' 'h/help'
            case 'curl'
                __fileq_parse_subcommand -r 1 'version' 'h/help'
            end
        case 'list'
            __fileq_parse_subcommand -r 1 'json' 'on=' 'version' 'h/help'
        case 'info'
            __fileq_parse_subcommand -r 1 'json' 'on=' 'version' 'h/help'
        case 'watch'
            __fileq_parse_subcommand -r 1 'json' 'on=' 'version' 'h/help'
        case 'wait'
            __fileq_parse_subcommand -r 1 'all' 'json' 'plain' 'q/quiet' 'v/verbose' 'on=' 'version' 'h/help'
        case 'pause'
            __fileq_parse_subcommand -r 1 'all' 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'resume'
            __fileq_parse_subcommand -r 1 'all' 'now' 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'cancel'
            __fileq_parse_subcommand -r 1 'all' 'delete' 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'retry'
            __fileq_parse_subcommand -r 1 'all' 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'move'
            __fileq_parse_subcommand -r 1 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'set'
            __fileq_parse_subcommand -r 1 'all' 'priority=' 'limit=' 'at=' 'after=+' 'download-limit=' 'upload-limit=' 'j/concurrent=' 'per-host=' 'timetable=' 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'relocate'
            __fileq_parse_subcommand -r 1 'all' 'url=' 'H/header=+' 'b/cookie=+' 'o/output=' 'd/directory=' 'if-exists=' 'sid=' 'sid-file=' 'user=' 'password-file=' 'token-file=' 'cert=' 'key=' 'key-password-file=' 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'undo'
            __fileq_parse_subcommand 0 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'open'
            __fileq_parse_subcommand -r 1 'folder' 'on=' 'version' 'h/help'
        case 'copy'
            __fileq_parse_subcommand -r 1 'address' 'path' 'id' 'curl' 'on=' 'version' 'h/help'
        case 'history'
            __fileq_parse_subcommand -r 1 'n/number=' 'json' 'on=' 'version' 'h/help'
        case 'clear'
            __fileq_parse_subcommand -r 1 'all' 'keep-history' 'json' 'v/verbose' 'on=' 'version' 'h/help'
        case 'logs'
            __fileq_parse_subcommand 0 'n/number=' 'f/follow' 'version' 'h/help'
        case 'trust'
            __fileq_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __fileq_parse_subcommand 0 'json' 'version' 'h/help'
            case 'add'
                __fileq_parse_subcommand 2 'version' 'h/help'
            case 'remove'
                __fileq_parse_subcommand -r 1 'version' 'h/help'
            end
        case 'serve'
            __fileq_parse_subcommand 1 'host=' 'port=' 'name=+' 'tls-cert=' 'tls-key=' 'token-file=' 'max-upload=' 'upload-quota=' 'upload-lifetime=' 'idle-timeout=' 'rate=' 'no-sync' 'allow-delete' 'hidden' 'log=' 'v/verbose' 'version' 'h/help'
        case 'demo'
            __fileq_parse_subcommand 0 'plain' 'rate=' 'version' 'h/help'
        case 'interface'
            __fileq_parse_subcommand 0 'theme=' 'list-columns=' 'group=' 'pane=' 'view=' 'sort=' 'on=' 'watch' 'no-mouse' 'linear' 'once' 'svg' 'columns=' 'rows=' 'version' 'h/help'
        case 'keys'
            __fileq_parse_subcommand 0 'json' 'version' 'h/help'
        case 'service'
            __fileq_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'run'
                __fileq_parse_subcommand 0 'idle-timeout=' 'j/concurrent=' 'version' 'h/help'
            case 'status'
                __fileq_parse_subcommand 0 'json' 'version' 'h/help'
            case 'stop'
                __fileq_parse_subcommand 0 'version' 'h/help'
            case 'install'
                __fileq_parse_subcommand 0 'print' 'version' 'h/help'
            end
        case 'rpc'
            __fileq_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'enable'
                __fileq_parse_subcommand 0 'new-secret' 'version' 'h/help'
            case 'disable'
                __fileq_parse_subcommand 0 'version' 'h/help'
            case 'status'
                __fileq_parse_subcommand 0 'json' 'version' 'h/help'
            end
        case 'control'
            __fileq_parse_subcommand 0 'stdio' 'no-start' 'version' 'h/help'
        case 'help'
            __fileq_parse_subcommand -r 1 'version'
        end
    end
end

function __fileq_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __fileq_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __fileq_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __fileq_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__fileq_tokens -p)
    if test -z "$(__fileq_tokens -t)"
        set -l index (count (__fileq_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'fileq' -f
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'get' -d 'Download files.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'put' -d 'Upload files.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'add' -d 'Enqueue transfers in the background.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'list' -d 'Show the background queue.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'info' -d 'Show the details of transfers, with their attempts and metrics.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'watch' -d 'Print the events of the queue as they happen.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'wait' -d 'Wait until transfers finish, and exit with their code.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'pause' -d 'Pause transfers; partial files are kept.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'resume' -d 'Resume paused transfers.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'cancel' -d 'Cancel transfers; partial files are kept for a retry.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'retry' -d 'Restart failed and cancelled transfers from their partial files.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'move' -d 'Move transfers within the queue: top, up, down or bottom.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'set' -d 'Set priority, rate and start of transfers, or the limits of the queue.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'relocate' -d 'Change URL, credentials or file of transfers; they keep their bytes.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'undo' -d 'Revert the latest command on the queue.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'open' -d 'Open the files of transfers with the desktop\'s programs for them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'copy' -d 'Copy addresses, paths or curl lines of transfers to the terminal\'s clipboard.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'history' -d 'Show finished transfers, latest first.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'clear' -d 'Remove finished transfers from the queue and the history.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'logs' -d 'Print the log of the background service.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'trust' -d 'List and change the server keys that you trust although the system does not.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'serve' -d 'Serve a folder and receive uploads over HTTP.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'demo' -d 'Show a demonstration: a server, sample transfers and the interface.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'interface' -d 'Open the queue on the terminal, as \'fileq\' alone does.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'keys' -d 'Print the keys of the interface, and the names of its actions.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'service' -d 'The background service, which runs the queue.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'rpc' -d 'Let browsers and aria2\'s front ends use the queue.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'control' -d 'Connect a program with the queue by standard input and output.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" o output' -s 'o' -l 'output' -d 'Save to this file; for get, \'-\' is standard output, which must not be a terminal.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" d directory' -s 'd' -l 'directory' -d 'Save into this folder.' -rfa '(__fileq_complete_directories)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" sync' -l 'sync' -d 'Sync file and folder before a download completes. (the default)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-sync' -l 'no-sync' -d 'Do not sync downloads: faster, but a power cut may empty completed files.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" skip-existing' -l 'skip-existing' -d 'Keep existing files and count them as downloaded.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" N if-newer' -s 'N' -l 'if-newer' -d 'Replace an existing file only if the server has a newer version or another size.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" keep-both' -l 'keep-both' -d 'Save beside an existing file, under the next free name: disk-2.iso.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" checksum-file' -l 'checksum-file' -d 'Take the checksums of the files from a list in the format of sha256sum, with --tag or without, by file name. A URL is downloaded first.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'mirror' -d 'Another address of the same file; may be repeated. It is asked when the others fail; with a checksum, also for parts of the file.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'metalink' -d 'Download the files that a Metalink document describes (RFC 5854), and check them as it says; may be repeated. Arguments that end in .meta4 are such documents, too.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-metalink' -l 'no-metalink' -d 'Save Metalink documents, instead of downloading the files that they describe.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" create-dirs' -l 'create-dirs' -d 'Create missing folders.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" split' -l 'split' -d 'Use up to this many connections for one file, as long as each of them makes it faster. 1: never more than one. (default: 4)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" X method' -s 'X' -l 'method' -d 'Use this method instead of GET, PUT or POST.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -s 'H' -l 'header' -d 'Send a header; @FILE reads one per line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -s 'b' -l 'cookie' -d 'Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" e referer' -s 'e' -l 'referer' -d 'Send this URL as the Referer.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" A user-agent' -s 'A' -l 'user-agent' -d 'Send this text as the User-Agent.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" for-all-hosts' -l 'for-all-hosts' -d 'Send -H, -b, -e, --sid, --user, --token-file and --cert to all servers of this command or list. By default they go to the origin of the first URL only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" cookie-jar' -l 'cookie-jar' -d 'Read cookies from this file, and write them back at the end (Netscape format).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" sid' -l 'sid' -d 'FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" sid-file' -l 'sid-file' -d 'As --sid, from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'meta' -d 'FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else from a prompt. Over https it is sent immediately; over http after a challenge, as Digest if possible.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" token-file' -l 'token-file' -d 'Send the token in the first line of this file, as \'Authorization: Bearer\'.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" connect-timeout' -l 'connect-timeout' -d 'Limit the time to connect. (default: 30)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" request-timeout' -l 'request-timeout' -d 'Limit the time without a byte, in either direction. (default: 60)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" response-timeout' -l 'response-timeout' -d 'Limit the time from the last byte of a request\'s body to the response. (default: --request-timeout if that is set, else 300)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" resource-timeout' -l 'resource-timeout' -d 'Limit the time of a transfer with all its attempts. (default: 604800)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" retry' -l 'retry' -d 'Retry this many times after transient failures; 0: make one attempt. (default: 5; in the background as often as time allows)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" retry-max-wait' -l 'retry-max-wait' -d 'Fail if a server asks for a longer wait before the next attempt (Retry-After). (default: 3600; in the background no limit but --resource-timeout)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" max-redirs' -l 'max-redirs' -d 'Follow at most this many redirects. (default: 20)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" limit' -l 'limit' -d 'Limit the bytes per second of all transfers of this run together: 500k, 2M, 1.5G (1024-based).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" http' -l 'http' -d '1.1: nothing newer. 2: offer HTTP/2, fall back to 1.1. 3: try HTTP/3 first, if libcurl supports it. (default: fileq chooses)' -rfka '1.1 2 3'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'pin' -d 'Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX), which must also be valid. Repeatable: one of a kind must match.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" allow-downgrade' -l 'allow-downgrade' -d 'Follow redirects from https to http, where others can read and change the data.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" cacert' -l 'cacert' -d 'Trust the certificate authorities of this PEM file instead of the system\'s.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-wait' -l 'no-wait' -d 'Fail immediately without a usable network, instead of waiting for one.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-expensive' -l 'no-expensive' -d 'Use no network that may cost money: cellular ones, and those that NetworkManager or the configuration marks as metered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-constrained' -l 'no-constrained' -d 'Use no network that the configuration marks as constrained.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-cellular' -l 'no-cellular' -d 'Use no cellular network.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" interface' -l 'interface' -d 'Use only this network interface, such as wlan0.' -rfka '(ls /sys/class/net 2>/dev/null)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" multipath' -l 'multipath' -d 'Use several network paths at once if kernel and server support Multipath TCP: none, handover, interactive or aggregate; the kernel\'s path manager (\'ip mptcp\') decides which. Without a value it means handover. (default: none)' -rfka 'none handover interactive aggregate'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" now' -l 'now' -d 'Use any network, whatever it costs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" cert' -l 'cert' -d 'The client certificate: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" key' -l 'key' -d 'The private key of --cert, in PEM, if it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'trust' -d 'Accept this public key of a server in this run, although the system rejects its certificate: HOST:PORT=sha256//BASE64, or only the key if all URLs name one server. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" tls-min' -l 'tls-min' -d 'The oldest version of TLS to use: 1.2 or 1.3. (default: 1.2)' -rfka '1.2 1.3'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" tls-max' -l 'tls-max' -d 'The newest version of TLS to use: 1.2 or 1.3.' -rfka '1.2 1.3'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" concurrent j' -s 'j' -l 'concurrent' -d 'Run this many transfers concurrently.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -s 'i' -l 'input' -d 'Read more URLs (put: more files) from this file, one per line; \'#\' begins a comment; \'-\' is standard input. Indented lines below a URL are options of aria2 for it. Repeatable.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'checksum' -d 'The expected checksum of the file: sha256:HEX or sha512:HEX.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" dry-run' -l 'dry-run' -d 'List the transfers, with sizes if known; transfer, change and enqueue nothing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" allow-outside' -l 'allow-outside' -d 'get: allow a list to name hidden files and files outside of the -d folder.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" overwrite' -l 'overwrite' -d 'get: replace existing files. put: no effect, the server decides; see --no-overwrite.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" json' -l 'json' -d 'Write one JSON object per event to standard output, and nothing else.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" plain' -l 'plain' -d 'Report progress as one line per event instead of bars, for screen readers and logs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" q quiet' -s 'q' -l 'quiet' -d 'Report errors only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" v verbose' -s 'v' -l 'verbose' -d 'Show the metrics of each transfer: protocol, address, exchanges, and a waterfall of their stages.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq put" -ge 1' -F
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" r recursive' -s 'r' -l 'recursive' -d 'Upload folders with their contents.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" follow' -l 'follow' -d 'With -r, upload the targets of symbolic links instead of skipping them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" resumable' -l 'resumable' -d 'Continue interrupted uploads by this protocol: ietf (Resumable Uploads for HTTP), tus, auto (what the server announces; files from 1 MiB on), or never. With tus and ietf, a URL that is an upload already is continued. (default: auto)' -rfka 'never auto ietf tus'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" split' -l 'split' -d 'Use up to this many connections for one file: for s3:// URLs, and by tus with servers that join parts, from 16 MiB on. (default: 4 for s3:// URLs, else 1)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" name' -l 'name' -d 'The name of standard input, for a URL that ends in \'/\', and for servers of tus and FileQ.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-overwrite' -l 'no-overwrite' -d 'Fail if the server has the file already, and keep that one (If-None-Match: *).'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" if-match' -l 'if-match' -d 'Replace only the version of the file with this entity tag (If-Match); \'*\' is any, but there must be one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" s3-endpoint' -l 's3-endpoint' -d 'For s3:// URLs, use this server instead of AWS. (default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" s3-region' -l 's3-region' -d 'For s3:// URLs, the region of the bucket. (default: AWS_REGION, AWS_DEFAULT_REGION or us-east-1)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" s3-profile' -l 's3-profile' -d 'For s3:// URLs, take the access key from this profile of ~/.aws/credentials. Without it, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY come first. (default: AWS_PROFILE or default)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" s3-part-size' -l 's3-part-size' -d 'For s3:// URLs, the size of the parts of larger files, from 5M on. (default: 8M)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" share' -l 'share' -d 'Print a link to each uploaded file and folder; the server is \'fileq serve\'.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" qr' -l 'qr' -d 'With --share, show each link as a QR code on the terminal, too; needs libqrencode.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" share-expires' -l 'share-expires' -d 'With --share, the links end after this time, such as 30m, 12h or 7d.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" share-downloads' -l 'share-downloads' -d 'With --share, each link is good for so many downloads.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" share-password-file' -l 'share-password-file' -d 'With --share, the links require the password in the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" X method' -s 'X' -l 'method' -d 'Use this method instead of GET, PUT or POST.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -s 'H' -l 'header' -d 'Send a header; @FILE reads one per line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -s 'b' -l 'cookie' -d 'Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" e referer' -s 'e' -l 'referer' -d 'Send this URL as the Referer.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" A user-agent' -s 'A' -l 'user-agent' -d 'Send this text as the User-Agent.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" for-all-hosts' -l 'for-all-hosts' -d 'Send -H, -b, -e, --sid, --user, --token-file and --cert to all servers of this command or list. By default they go to the origin of the first URL only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" cookie-jar' -l 'cookie-jar' -d 'Read cookies from this file, and write them back at the end (Netscape format).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" sid' -l 'sid' -d 'FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" sid-file' -l 'sid-file' -d 'As --sid, from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -l 'meta' -d 'FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else from a prompt. Over https it is sent immediately; over http after a challenge, as Digest if possible.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" token-file' -l 'token-file' -d 'Send the token in the first line of this file, as \'Authorization: Bearer\'.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" connect-timeout' -l 'connect-timeout' -d 'Limit the time to connect. (default: 30)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" request-timeout' -l 'request-timeout' -d 'Limit the time without a byte, in either direction. (default: 60)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" response-timeout' -l 'response-timeout' -d 'Limit the time from the last byte of a request\'s body to the response. (default: --request-timeout if that is set, else 300)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" resource-timeout' -l 'resource-timeout' -d 'Limit the time of a transfer with all its attempts. (default: 604800)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" retry' -l 'retry' -d 'Retry this many times after transient failures; 0: make one attempt. (default: 5; in the background as often as time allows)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" retry-max-wait' -l 'retry-max-wait' -d 'Fail if a server asks for a longer wait before the next attempt (Retry-After). (default: 3600; in the background no limit but --resource-timeout)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" max-redirs' -l 'max-redirs' -d 'Follow at most this many redirects. (default: 20)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" limit' -l 'limit' -d 'Limit the bytes per second of all transfers of this run together: 500k, 2M, 1.5G (1024-based).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" http' -l 'http' -d '1.1: nothing newer. 2: offer HTTP/2, fall back to 1.1. 3: try HTTP/3 first, if libcurl supports it. (default: fileq chooses)' -rfka '1.1 2 3'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -l 'pin' -d 'Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX), which must also be valid. Repeatable: one of a kind must match.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" allow-downgrade' -l 'allow-downgrade' -d 'Follow redirects from https to http, where others can read and change the data.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" cacert' -l 'cacert' -d 'Trust the certificate authorities of this PEM file instead of the system\'s.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-wait' -l 'no-wait' -d 'Fail immediately without a usable network, instead of waiting for one.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-expensive' -l 'no-expensive' -d 'Use no network that may cost money: cellular ones, and those that NetworkManager or the configuration marks as metered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-constrained' -l 'no-constrained' -d 'Use no network that the configuration marks as constrained.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-cellular' -l 'no-cellular' -d 'Use no cellular network.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" interface' -l 'interface' -d 'Use only this network interface, such as wlan0.' -rfka '(ls /sys/class/net 2>/dev/null)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" multipath' -l 'multipath' -d 'Use several network paths at once if kernel and server support Multipath TCP: none, handover, interactive or aggregate; the kernel\'s path manager (\'ip mptcp\') decides which. Without a value it means handover. (default: none)' -rfka 'none handover interactive aggregate'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" now' -l 'now' -d 'Use any network, whatever it costs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" cert' -l 'cert' -d 'The client certificate: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" key' -l 'key' -d 'The private key of --cert, in PEM, if it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -l 'trust' -d 'Accept this public key of a server in this run, although the system rejects its certificate: HOST:PORT=sha256//BASE64, or only the key if all URLs name one server. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" tls-min' -l 'tls-min' -d 'The oldest version of TLS to use: 1.2 or 1.3. (default: 1.2)' -rfka '1.2 1.3'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" tls-max' -l 'tls-max' -d 'The newest version of TLS to use: 1.2 or 1.3.' -rfka '1.2 1.3'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" concurrent j' -s 'j' -l 'concurrent' -d 'Run this many transfers concurrently.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -s 'i' -l 'input' -d 'Read more URLs (put: more files) from this file, one per line; \'#\' begins a comment; \'-\' is standard input. Indented lines below a URL are options of aria2 for it. Repeatable.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -l 'checksum' -d 'The expected checksum of the file: sha256:HEX or sha512:HEX.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" dry-run' -l 'dry-run' -d 'List the transfers, with sizes if known; transfer, change and enqueue nothing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" allow-outside' -l 'allow-outside' -d 'get: allow a list to name hidden files and files outside of the -d folder.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" overwrite' -l 'overwrite' -d 'get: replace existing files. put: no effect, the server decides; see --no-overwrite.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" json' -l 'json' -d 'Write one JSON object per event to standard output, and nothing else.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" plain' -l 'plain' -d 'Report progress as one line per event instead of bars, for screen readers and logs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" q quiet' -s 'q' -l 'quiet' -d 'Report errors only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" v verbose' -s 'v' -l 'verbose' -d 'Show the metrics of each transfer: protocol, address, exchanges, and a waterfall of their stages.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq add" -eq 1' -fa 'get' -d 'Enqueue downloads in the background.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq add" -eq 1' -fa 'put' -d 'Enqueue uploads in the background.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq add" -eq 1' -fa 'curl' -d 'Enqueue the transfers of a curl command line.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" o output' -s 'o' -l 'output' -d 'Save to this file; for get, \'-\' is standard output, which must not be a terminal.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" d directory' -s 'd' -l 'directory' -d 'Save into this folder.' -rfa '(__fileq_complete_directories)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" sync' -l 'sync' -d 'Sync file and folder before a download completes. (the default)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-sync' -l 'no-sync' -d 'Do not sync downloads: faster, but a power cut may empty completed files.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" curl' -l 'curl' -d 'Take URLs and options from a curl command line; \'-\' reads it from standard input.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" skip-existing' -l 'skip-existing' -d 'Keep existing files and count them as downloaded.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" N if-newer' -s 'N' -l 'if-newer' -d 'Replace an existing file only if the server has a newer version or another size.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" keep-both' -l 'keep-both' -d 'Save beside an existing file, under the next free name: disk-2.iso.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" checksum-file' -l 'checksum-file' -d 'Take the checksums of the files from a list in the format of sha256sum, with --tag or without, by file name. A URL is downloaded first.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -l 'mirror' -d 'Another address of the same file; may be repeated. It is asked when the others fail; with a checksum, also for parts of the file.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -l 'metalink' -d 'Download the files that a Metalink document describes (RFC 5854), and check them as it says; may be repeated. Arguments that end in .meta4 are such documents, too.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-metalink' -l 'no-metalink' -d 'Save Metalink documents, instead of downloading the files that they describe.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" create-dirs' -l 'create-dirs' -d 'Create missing folders.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" split' -l 'split' -d 'Use up to this many connections for one file, as long as each of them makes it faster. 1: never more than one. (default: 4)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" paused' -l 'paused' -d 'Enqueue paused; \'fileq resume\' starts it.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" at' -l 'at' -d 'Do not start before: 23:30, \'tomorrow 08:00\', +2h30m, or a date and time such as 2026-12-24T18:00:00+01:00.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -l 'after' -d 'Start once these transfers of the queue have completed: 3, 3-7 or 1,3-7; can be repeated. If one fails or is cancelled, it stays paused until \'fileq resume\'.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" discretionary' -l 'discretionary' -d 'Start only on a network without cost, while no other transfer runs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" priority' -l 'priority' -d 'Priority: low, normal, high, or a number from 0 to 1. (default: normal)' -rfka 'low normal high'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" X method' -s 'X' -l 'method' -d 'Use this method instead of GET, PUT or POST.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -s 'H' -l 'header' -d 'Send a header; @FILE reads one per line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -s 'b' -l 'cookie' -d 'Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" e referer' -s 'e' -l 'referer' -d 'Send this URL as the Referer.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" A user-agent' -s 'A' -l 'user-agent' -d 'Send this text as the User-Agent.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" for-all-hosts' -l 'for-all-hosts' -d 'Send -H, -b, -e, --sid, --user, --token-file and --cert to all servers of this command or list. By default they go to the origin of the first URL only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" cookie-jar' -l 'cookie-jar' -d 'Read cookies from this file, and write them back at the end (Netscape format).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" sid' -l 'sid' -d 'FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" sid-file' -l 'sid-file' -d 'As --sid, from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -l 'meta' -d 'FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else from a prompt. Over https it is sent immediately; over http after a challenge, as Digest if possible.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" token-file' -l 'token-file' -d 'Send the token in the first line of this file, as \'Authorization: Bearer\'.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" connect-timeout' -l 'connect-timeout' -d 'Limit the time to connect. (default: 30)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" request-timeout' -l 'request-timeout' -d 'Limit the time without a byte, in either direction. (default: 60)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" response-timeout' -l 'response-timeout' -d 'Limit the time from the last byte of a request\'s body to the response. (default: --request-timeout if that is set, else 300)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" resource-timeout' -l 'resource-timeout' -d 'Limit the time of a transfer with all its attempts. (default: 604800)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" retry' -l 'retry' -d 'Retry this many times after transient failures; 0: make one attempt. (default: 5; in the background as often as time allows)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" retry-max-wait' -l 'retry-max-wait' -d 'Fail if a server asks for a longer wait before the next attempt (Retry-After). (default: 3600; in the background no limit but --resource-timeout)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" max-redirs' -l 'max-redirs' -d 'Follow at most this many redirects. (default: 20)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" limit' -l 'limit' -d 'Limit the bytes per second of all transfers of this run together: 500k, 2M, 1.5G (1024-based).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" http' -l 'http' -d '1.1: nothing newer. 2: offer HTTP/2, fall back to 1.1. 3: try HTTP/3 first, if libcurl supports it. (default: fileq chooses)' -rfka '1.1 2 3'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -l 'pin' -d 'Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX), which must also be valid. Repeatable: one of a kind must match.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" allow-downgrade' -l 'allow-downgrade' -d 'Follow redirects from https to http, where others can read and change the data.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" cacert' -l 'cacert' -d 'Trust the certificate authorities of this PEM file instead of the system\'s.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-wait' -l 'no-wait' -d 'Fail immediately without a usable network, instead of waiting for one.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-expensive' -l 'no-expensive' -d 'Use no network that may cost money: cellular ones, and those that NetworkManager or the configuration marks as metered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-constrained' -l 'no-constrained' -d 'Use no network that the configuration marks as constrained.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-cellular' -l 'no-cellular' -d 'Use no cellular network.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" interface' -l 'interface' -d 'Use only this network interface, such as wlan0.' -rfka '(ls /sys/class/net 2>/dev/null)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" multipath' -l 'multipath' -d 'Use several network paths at once if kernel and server support Multipath TCP: none, handover, interactive or aggregate; the kernel\'s path manager (\'ip mptcp\') decides which. Without a value it means handover. (default: none)' -rfka 'none handover interactive aggregate'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" now' -l 'now' -d 'Use any network, whatever it costs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" cert' -l 'cert' -d 'The client certificate: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" key' -l 'key' -d 'The private key of --cert, in PEM, if it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -s 'i' -l 'input' -d 'Read more URLs (put: more files) from this file, one per line; \'#\' begins a comment; \'-\' is standard input. Indented lines below a URL are options of aria2 for it. Repeatable.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -l 'checksum' -d 'The expected checksum of the file: sha256:HEX or sha512:HEX.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" dry-run' -l 'dry-run' -d 'List the transfers, with sizes if known; transfer, change and enqueue nothing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" allow-outside' -l 'allow-outside' -d 'get: allow a list to name hidden files and files outside of the -d folder.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" overwrite' -l 'overwrite' -d 'get: replace existing files. put: no effect, the server decides; see --no-overwrite.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" json' -l 'json' -d 'Write one JSON object per transfer instead of its ID.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" q quiet' -s 'q' -l 'quiet' -d 'Report errors only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq add put" -ge 1' -F
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" r recursive' -s 'r' -l 'recursive' -d 'Upload folders with their contents.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" follow' -l 'follow' -d 'With -r, upload the targets of symbolic links instead of skipping them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" resumable' -l 'resumable' -d 'Continue interrupted uploads by this protocol: ietf (Resumable Uploads for HTTP), tus, auto (what the server announces; files from 1 MiB on), or never. With tus and ietf, a URL that is an upload already is continued. (default: auto)' -rfka 'never auto ietf tus'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" split' -l 'split' -d 'Use up to this many connections for one file: for s3:// URLs, and by tus with servers that join parts, from 16 MiB on. (default: 4 for s3:// URLs, else 1)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-overwrite' -l 'no-overwrite' -d 'Fail if the server has the file already, and keep that one (If-None-Match: *).'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" if-match' -l 'if-match' -d 'Replace only the version of the file with this entity tag (If-Match); \'*\' is any, but there must be one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" s3-endpoint' -l 's3-endpoint' -d 'For s3:// URLs, use this server instead of AWS. (default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" s3-region' -l 's3-region' -d 'For s3:// URLs, the region of the bucket. (default: AWS_REGION, AWS_DEFAULT_REGION or us-east-1)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" s3-profile' -l 's3-profile' -d 'For s3:// URLs, take the access key from this profile of ~/.aws/credentials. Without it, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY come first. (default: AWS_PROFILE or default)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" s3-part-size' -l 's3-part-size' -d 'For s3:// URLs, the size of the parts of larger files, from 5M on. (default: 8M)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" paused' -l 'paused' -d 'Enqueue paused; \'fileq resume\' starts it.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" at' -l 'at' -d 'Do not start before: 23:30, \'tomorrow 08:00\', +2h30m, or a date and time such as 2026-12-24T18:00:00+01:00.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -l 'after' -d 'Start once these transfers of the queue have completed: 3, 3-7 or 1,3-7; can be repeated. If one fails or is cancelled, it stays paused until \'fileq resume\'.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" discretionary' -l 'discretionary' -d 'Start only on a network without cost, while no other transfer runs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" priority' -l 'priority' -d 'Priority: low, normal, high, or a number from 0 to 1. (default: normal)' -rfka 'low normal high'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" X method' -s 'X' -l 'method' -d 'Use this method instead of GET, PUT or POST.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -s 'H' -l 'header' -d 'Send a header; @FILE reads one per line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -s 'b' -l 'cookie' -d 'Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" e referer' -s 'e' -l 'referer' -d 'Send this URL as the Referer.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" A user-agent' -s 'A' -l 'user-agent' -d 'Send this text as the User-Agent.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" for-all-hosts' -l 'for-all-hosts' -d 'Send -H, -b, -e, --sid, --user, --token-file and --cert to all servers of this command or list. By default they go to the origin of the first URL only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" cookie-jar' -l 'cookie-jar' -d 'Read cookies from this file, and write them back at the end (Netscape format).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" sid' -l 'sid' -d 'FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" sid-file' -l 'sid-file' -d 'As --sid, from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -l 'meta' -d 'FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else from a prompt. Over https it is sent immediately; over http after a challenge, as Digest if possible.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" token-file' -l 'token-file' -d 'Send the token in the first line of this file, as \'Authorization: Bearer\'.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" connect-timeout' -l 'connect-timeout' -d 'Limit the time to connect. (default: 30)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" request-timeout' -l 'request-timeout' -d 'Limit the time without a byte, in either direction. (default: 60)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" response-timeout' -l 'response-timeout' -d 'Limit the time from the last byte of a request\'s body to the response. (default: --request-timeout if that is set, else 300)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" resource-timeout' -l 'resource-timeout' -d 'Limit the time of a transfer with all its attempts. (default: 604800)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" retry' -l 'retry' -d 'Retry this many times after transient failures; 0: make one attempt. (default: 5; in the background as often as time allows)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" retry-max-wait' -l 'retry-max-wait' -d 'Fail if a server asks for a longer wait before the next attempt (Retry-After). (default: 3600; in the background no limit but --resource-timeout)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" max-redirs' -l 'max-redirs' -d 'Follow at most this many redirects. (default: 20)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" limit' -l 'limit' -d 'Limit the bytes per second of all transfers of this run together: 500k, 2M, 1.5G (1024-based).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" http' -l 'http' -d '1.1: nothing newer. 2: offer HTTP/2, fall back to 1.1. 3: try HTTP/3 first, if libcurl supports it. (default: fileq chooses)' -rfka '1.1 2 3'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -l 'pin' -d 'Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX), which must also be valid. Repeatable: one of a kind must match.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" allow-downgrade' -l 'allow-downgrade' -d 'Follow redirects from https to http, where others can read and change the data.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" cacert' -l 'cacert' -d 'Trust the certificate authorities of this PEM file instead of the system\'s.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-wait' -l 'no-wait' -d 'Fail immediately without a usable network, instead of waiting for one.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-expensive' -l 'no-expensive' -d 'Use no network that may cost money: cellular ones, and those that NetworkManager or the configuration marks as metered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-constrained' -l 'no-constrained' -d 'Use no network that the configuration marks as constrained.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-cellular' -l 'no-cellular' -d 'Use no cellular network.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" interface' -l 'interface' -d 'Use only this network interface, such as wlan0.' -rfka '(ls /sys/class/net 2>/dev/null)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" multipath' -l 'multipath' -d 'Use several network paths at once if kernel and server support Multipath TCP: none, handover, interactive or aggregate; the kernel\'s path manager (\'ip mptcp\') decides which. Without a value it means handover. (default: none)' -rfka 'none handover interactive aggregate'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" now' -l 'now' -d 'Use any network, whatever it costs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" cert' -l 'cert' -d 'The client certificate: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" key' -l 'key' -d 'The private key of --cert, in PEM, if it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -s 'i' -l 'input' -d 'Read more URLs (put: more files) from this file, one per line; \'#\' begins a comment; \'-\' is standard input. Indented lines below a URL are options of aria2 for it. Repeatable.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -l 'checksum' -d 'The expected checksum of the file: sha256:HEX or sha512:HEX.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" dry-run' -l 'dry-run' -d 'List the transfers, with sizes if known; transfer, change and enqueue nothing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" allow-outside' -l 'allow-outside' -d 'get: allow a list to name hidden files and files outside of the -d folder.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" overwrite' -l 'overwrite' -d 'get: replace existing files. put: no effect, the server decides; see --no-overwrite.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" json' -l 'json' -d 'Write one JSON object per transfer instead of its ID.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" q quiet' -s 'q' -l 'quiet' -d 'Report errors only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add curl" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add curl" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq list" -ge 1' -fka '(__fileq_custom_completion ---completion list -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq list" json' -l 'json' -d 'One JSON object per transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq list" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq list" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq info" -ge 1' -fka '(__fileq_custom_completion ---completion info -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq info" json' -l 'json' -d 'One JSON object per transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq info" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq info" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq watch" -ge 1' -fka '(__fileq_custom_completion ---completion watch -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq watch" json' -l 'json' -d 'Write JSON objects also on a terminal.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq watch" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq watch" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq wait" -ge 1' -fka '(__fileq_custom_completion ---completion wait -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" all' -l 'all' -d 'All transfers to which it applies.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" json' -l 'json' -d 'Write one JSON object per event to standard output, and nothing else.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" plain' -l 'plain' -d 'Report progress as one line per event instead of bars, for screen readers and logs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" q quiet' -s 'q' -l 'quiet' -d 'Report errors only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" v verbose' -s 'v' -l 'verbose' -d 'Show the metrics of each transfer: protocol, address, exchanges, and a waterfall of their stages.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq pause" -ge 1' -fka '(__fileq_custom_completion ---completion pause -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" all' -l 'all' -d 'All transfers to which it applies.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" json' -l 'json' -d 'Write one JSON object per affected transfer, with its new state.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" v verbose' -s 'v' -l 'verbose' -d 'Print a line per affected transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq resume" -ge 1' -fka '(__fileq_custom_completion ---completion resume -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" all' -l 'all' -d 'All transfers to which it applies.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" now' -l 'now' -d 'Use any network, whatever it costs; transfers that wait for another network resume, too.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" json' -l 'json' -d 'Write one JSON object per affected transfer, with its new state.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" v verbose' -s 'v' -l 'verbose' -d 'Print a line per affected transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq cancel" -ge 1' -fka '(__fileq_custom_completion ---completion cancel -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" all' -l 'all' -d 'All transfers to which it applies.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" delete' -l 'delete' -d 'Also delete the partial files of downloads, and what servers have of unfinished uploads.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" json' -l 'json' -d 'Write one JSON object per affected transfer, with its new state.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" v verbose' -s 'v' -l 'verbose' -d 'Print a line per affected transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq retry" -ge 1' -fka '(__fileq_custom_completion ---completion retry -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" all' -l 'all' -d 'All transfers to which it applies.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" json' -l 'json' -d 'Write one JSON object per affected transfer, with its new state.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" v verbose' -s 'v' -l 'verbose' -d 'Print a line per affected transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq move" -ge 1' -fka '(__fileq_custom_completion ---completion move -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" json' -l 'json' -d 'Write one JSON object per affected transfer, with its new state.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" v verbose' -s 'v' -l 'verbose' -d 'Print a line per affected transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq set" -ge 1' -fka '(__fileq_custom_completion ---completion set -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" all' -l 'all' -d 'All transfers to which it applies.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" priority' -l 'priority' -d 'Priority: low, normal, high, or a number from 0 to 1 (0.5 is normal).' -rfka 'low normal high'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" limit' -l 'limit' -d 'Bytes per second for each of the transfers, such as 500k or 2M; \'none\' removes the limit.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" at' -l 'at' -d 'The earliest start of queued and paused transfers: 23:30, \'tomorrow 08:00\', +2h30m, a date, or \'now\'; failed and cancelled ones have it when they are retried.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set"' -l 'after' -d 'Start queued and paused transfers once these have completed: 3, 3-7 or 1,3-7; can be repeated; \'none\' removes the condition. If one fails or is cancelled, they stay paused until \'fileq resume\'.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" download-limit' -l 'download-limit' -d 'Bytes per second for all downloads; \'none\' removes the limit.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" upload-limit' -l 'upload-limit' -d 'Bytes per second for all uploads; \'none\' removes the limit.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" concurrent j' -s 'j' -l 'concurrent' -d 'The number of concurrent transfers.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" per-host' -l 'per-host' -d 'The number of concurrent transfers per host; \'none\' removes the limit.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" timetable' -l 'timetable' -d 'Rates by time of the week, which override --download-limit and --upload-limit: entries separated by \';\', each with days (default: all), a time, and down=RATE, up=RATE, \'unlimited\', or \'off\' for the limits of the queue. \'off\' or \'none\' alone removes the timetable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" json' -l 'json' -d 'Write one JSON object per affected transfer, with its new state.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" v verbose' -s 'v' -l 'verbose' -d 'Print a line per affected transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq relocate" -ge 1' -fka '(__fileq_custom_completion ---completion relocate -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" all' -l 'all' -d 'All transfers to which it applies.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" url' -l 'url' -d 'The new URL: http or https.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate"' -s 'H' -l 'header' -d 'Replace this header; @FILE reads one per line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate"' -s 'b' -l 'cookie' -d 'Send this cookie; @FILE reads NAME=VALUE lines or the Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" o output' -s 'o' -l 'output' -d 'Save to this file; for get, \'-\' is standard output, which must not be a terminal.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" d directory' -s 'd' -l 'directory' -d 'Save into this folder.' -rfa '(__fileq_complete_directories)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" if-exists' -l 'if-exists' -d 'If the file exists: fail, replace it, skip the download, replace it if the server\'s is newer, or take the next free name.' -rfka 'fail replace skip newer keep-both'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" sid' -l 'sid' -d 'New FileQ session of an upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" sid-file' -l 'sid-file' -d 'As --sid, from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else from a prompt. Over https it is sent immediately; over http after a challenge, as Digest if possible.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" token-file' -l 'token-file' -d 'Send the token in the first line of this file, as \'Authorization: Bearer\'.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" cert' -l 'cert' -d 'The client certificate: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" key' -l 'key' -d 'The private key of --cert, in PEM, if it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" json' -l 'json' -d 'Write one JSON object per affected transfer, with its new state.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" v verbose' -s 'v' -l 'verbose' -d 'Print a line per affected transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq undo" json' -l 'json' -d 'Write one JSON object per affected transfer, with its new state.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq undo" v verbose' -s 'v' -l 'verbose' -d 'Print a line per affected transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq undo" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq undo" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq undo" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq open" -ge 1' -fka '(__fileq_custom_completion ---completion open -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq open" folder' -l 'folder' -d 'Open the folder instead.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq open" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq open" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq copy" -ge 1' -fka '(__fileq_custom_completion ---completion copy -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq copy" address' -l 'address' -d 'The addresses, with tokens that lists hide (default).'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq copy" path' -l 'path' -d 'The paths of the files.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq copy" id' -l 'id' -d 'The IDs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq copy" curl' -l 'curl' -d 'Command lines of curl, without headers, cookies and logins.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq copy" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq copy" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq copy" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq history" -ge 1' -fka '(__fileq_custom_completion ---completion history -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" n number' -s 'n' -l 'number' -d 'Show at most n transfers. (default: all)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" json' -l 'json' -d 'One JSON object per transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq clear" -ge 1' -fka '(__fileq_custom_completion ---completion clear -- positional@0 (count (__fileq_tokens -pc)) (__fileq_tokens -tC))'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" all' -l 'all' -d 'All transfers to which it applies.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" keep-history' -l 'keep-history' -d 'Remove them from the queue only; \'fileq history\' keeps them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" json' -l 'json' -d 'Write the number of removed transfers as a JSON object.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" v verbose' -s 'v' -l 'verbose' -d 'Print the number of removed transfers.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq logs" n number' -s 'n' -l 'number' -d 'Print the last n lines. (default: all)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq logs" f follow' -s 'f' -l 'follow' -d 'Keep printing new lines until Ctrl-C.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq logs" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq logs" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq trust" -eq 1' -fa 'list' -d 'Print the keys, one per line.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq trust" -eq 1' -fa 'add' -d 'Trust a key of a server, replacing those trusted before.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq trust" -eq 1' -fa 'remove' -d 'Remove the keys of these servers.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust list" json' -l 'json' -d 'One JSON object per line: host, port, publicKey, certificate, accepted, subject.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust list" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust add" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust remove" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq serve" -eq 1' -fa '(__fileq_complete_directories)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" host' -l 'host' -d 'The address to listen on.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" port' -l 'port' -d 'The port to listen on; 0 picks a free one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve"' -l 'name' -d 'An additional name of the server in requests; repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" tls-cert' -l 'tls-cert' -d 'The certificate chain, a PEM file; with --tls-key the server speaks HTTPS.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" tls-key' -l 'tls-key' -d 'The certificate\'s private key, a PEM file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" token-file' -l 'token-file' -d 'A file whose first line is the token that requests need, as a bearer token or as a password.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" max-upload' -l 'max-upload' -d 'The largest upload accepted, such as 500M or 10G.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" upload-quota' -l 'upload-quota' -d 'The most that all unfinished resumable uploads may have together, such as 50G.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" upload-lifetime' -l 'upload-lifetime' -d 'Remove a resumable upload that has received nothing for this many hours.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" idle-timeout' -l 'idle-timeout' -d 'Close a connection after this many seconds without a byte.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" rate' -l 'rate' -d 'Bytes per second for each connection and direction, such as 500k, for demonstrations.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" no-sync' -l 'no-sync' -d 'Do not sync uploads before responding: faster, but a power cut may lose them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" allow-delete' -l 'allow-delete' -d 'Let clients delete files and folders, with DELETE and on the page.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" hidden' -l 'hidden' -d 'Also list names that begin with a dot.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" log' -l 'log' -d 'A line for each request on standard error: common, json or none; common on a terminal.' -rfka 'common json none'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" v verbose' -s 'v' -l 'verbose' -d 'Also warnings, and lines for requests without a terminal.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq demo" plain' -l 'plain' -d 'Do not open the interface, even on a terminal.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq demo" rate' -l 'rate' -d 'Bytes per second for each connection, such as 2M.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq demo" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq demo" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" theme' -l 'theme' -d 'Colours, one of auto, dark, light, high-contrast, monochrome, gruvbox and nord.' -rfka 'auto dark light high-contrast monochrome gruvbox nord'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" list-columns' -l 'list-columns' -d 'Columns of the list in their order, with widths if wanted, such as id,name:40,size,rate.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" group' -l 'group' -d 'Group the list by server, folder, place at the server, batch, or none.' -rfka 'none server folder place batch'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" pane' -l 'pane' -d 'Details right of the list or at the bottom; or auto.' -rfka 'auto right bottom'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" view' -l 'view' -d 'The view to open on: now, all, problems, held, done, history, log, or one of your own.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" sort' -l 'sort' -d 'Sort the list by name, server, size, done, rate, left, added or state; -size reverses size.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" on' -l 'on' -d 'The queue of another machine, over ssh: ssh://[user@]machine[:port], or a name of ~/.ssh/config; local: of this one.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" watch' -l 'watch' -d 'Only watch: no key changes the queue.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" no-mouse' -l 'no-mouse' -d 'Leave the mouse to the terminal.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" linear' -l 'linear' -d 'Lines of words instead of a screen, for screen readers and slow lines.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" once' -l 'once' -d 'Print the screen once, as text, and end.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" svg' -l 'svg' -d 'With --once, print an SVG picture.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" columns' -l 'columns' -d 'With --once, the width; default: the terminal\'s, or 80.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" rows' -l 'rows' -d 'With --once, the height; default: the terminal\'s, or 24.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq keys" json' -l 'json' -d 'One JSON object per action: action, keys, defaults, changed, group, help.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq keys" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq keys" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq service" -eq 1' -fa 'run' -d 'Run the service in this terminal.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq service" -eq 1' -fa 'status' -d 'Show whether the service is running, and its transfers.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq service" -eq 1' -fa 'stop' -d 'Stop the service; its transfers continue at the next start.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq service" -eq 1' -fa 'install' -d 'Write systemd units, so that transfers continue after a reboot.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service run" idle-timeout' -l 'idle-timeout' -d 'Exit after this many idle seconds; 0: never.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service run" concurrent j' -s 'j' -l 'concurrent' -d 'The number of concurrent transfers, until a command changes it.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service run" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service status" json' -l 'json' -d 'One JSON object: pid, version, protocol, socket, log, started (RFC 3339), clients, transfers (the number in each state), limits in force (concurrent, perHost, download, upload; absent: unlimited; held: true if the queue is held), and configuration: file, modified, problem, hooks (the program of each), interfaces, sleep (enabled, prevented, problem).'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service status" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service stop" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service stop" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service install" print' -l 'print' -d 'Print the units instead of writing them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service install" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service install" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq rpc" -eq 1' -fa 'enable' -d 'Enable the remote control, permanently, and make its secret.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq rpc" -eq 1' -fa 'disable' -d 'Disable the remote control; the secret is kept.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq rpc" -eq 1' -fa 'status' -d 'Show whether the remote control is enabled, its address and its secret\'s file.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc enable" new-secret' -l 'new-secret' -d 'Make another secret, so that clients with the old one are refused.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc enable" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc enable" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc disable" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc disable" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc status" json' -l 'json' -d 'One JSON object: enabled, url (while it runs), secret_file, and problem if it is enabled and cannot run.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc status" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq rpc status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq control" stdio' -l 'stdio' -d 'Use standard input and output; nothing else is offered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq control" no-start' -l 'no-start' -d 'Fail if no service is running.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq control" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq control" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq help" version' -l 'version' -d 'Show the version.'
