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
            __fileq_parse_subcommand -r 1 'o/output=' 'd/directory=' 'sync' 'no-sync' 'skip-existing' 'N/if-newer' 'checksum-file=' 'create-dirs' 'X/method=' 'H/header=+' 'b/cookie=+' 'e/referer=' 'for-all-hosts' 'cookie-jar=' 'sid=' 'sid-file=' 'meta=+' 'user=' 'password-file=' 'connect-timeout=' 'request-timeout=' 'resource-timeout=' 'retry=' 'max-redirs=' 'limit=' 'http=' 'pin=+' 'allow-downgrade' 'cacert=' 'no-wait' 'no-expensive' 'no-constrained' 'no-cellular' 'interface=' 'multipath=' 'now' 'trust=+' 'cert=' 'key=' 'key-password-file=' 'tls-min=' 'tls-max=' 'j/concurrent=' 'i/input=' 'checksum=' 'dry-run' 'allow-outside' 'overwrite' 'json' 'plain' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'put'
            __fileq_parse_subcommand -r 1 'r/recursive' 'follow' 'X/method=' 'H/header=+' 'b/cookie=+' 'e/referer=' 'for-all-hosts' 'cookie-jar=' 'sid=' 'sid-file=' 'meta=+' 'user=' 'password-file=' 'connect-timeout=' 'request-timeout=' 'resource-timeout=' 'retry=' 'max-redirs=' 'limit=' 'http=' 'pin=+' 'allow-downgrade' 'cacert=' 'no-wait' 'no-expensive' 'no-constrained' 'no-cellular' 'interface=' 'multipath=' 'now' 'trust=+' 'cert=' 'key=' 'key-password-file=' 'tls-min=' 'tls-max=' 'j/concurrent=' 'i/input=' 'checksum=' 'dry-run' 'allow-outside' 'overwrite' 'json' 'plain' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'add'
            __fileq_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'get'
                __fileq_parse_subcommand -r 1 'o/output=' 'd/directory=' 'sync' 'no-sync' 'curl=' 'skip-existing' 'N/if-newer' 'checksum-file=' 'create-dirs' 'paused' 'at=' 'discretionary' 'priority=' 'X/method=' 'H/header=+' 'b/cookie=+' 'e/referer=' 'for-all-hosts' 'cookie-jar=' 'sid=' 'sid-file=' 'meta=+' 'user=' 'password-file=' 'connect-timeout=' 'request-timeout=' 'resource-timeout=' 'retry=' 'max-redirs=' 'limit=' 'http=' 'pin=+' 'allow-downgrade' 'cacert=' 'no-wait' 'no-expensive' 'no-constrained' 'no-cellular' 'interface=' 'multipath=' 'now' 'cert=' 'key=' 'key-password-file=' 'i/input=' 'checksum=' 'dry-run' 'allow-outside' 'overwrite' 'json' 'q/quiet' 'version' 'h/help'
            case 'put'
                __fileq_parse_subcommand -r 1 'r/recursive' 'follow' 'paused' 'at=' 'discretionary' 'priority=' 'X/method=' 'H/header=+' 'b/cookie=+' 'e/referer=' 'for-all-hosts' 'cookie-jar=' 'sid=' 'sid-file=' 'meta=+' 'user=' 'password-file=' 'connect-timeout=' 'request-timeout=' 'resource-timeout=' 'retry=' 'max-redirs=' 'limit=' 'http=' 'pin=+' 'allow-downgrade' 'cacert=' 'no-wait' 'no-expensive' 'no-constrained' 'no-cellular' 'interface=' 'multipath=' 'now' 'cert=' 'key=' 'key-password-file=' 'i/input=' 'checksum=' 'dry-run' 'allow-outside' 'overwrite' 'json' 'q/quiet' 'version' 'h/help'
            case 'curl'
                __fileq_parse_subcommand -r 1 'version' 'h/help'
            end
        case 'list'
            __fileq_parse_subcommand -r 1 'json' 'version' 'h/help'
        case 'info'
            __fileq_parse_subcommand -r 1 'json' 'version' 'h/help'
        case 'watch'
            __fileq_parse_subcommand -r 1 'json' 'version' 'h/help'
        case 'wait'
            __fileq_parse_subcommand -r 1 'all' 'json' 'plain' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'pause'
            __fileq_parse_subcommand -r 1 'all' 'json' 'v/verbose' 'version' 'h/help'
        case 'resume'
            __fileq_parse_subcommand -r 1 'all' 'now' 'json' 'v/verbose' 'version' 'h/help'
        case 'cancel'
            __fileq_parse_subcommand -r 1 'all' 'delete' 'json' 'v/verbose' 'version' 'h/help'
        case 'retry'
            __fileq_parse_subcommand -r 1 'all' 'json' 'v/verbose' 'version' 'h/help'
        case 'move'
            __fileq_parse_subcommand -r 1 'json' 'v/verbose' 'version' 'h/help'
        case 'set'
            __fileq_parse_subcommand -r 1 'all' 'priority=' 'limit=' 'download-limit=' 'upload-limit=' 'j/concurrent=' 'per-host=' 'timetable=' 'json' 'v/verbose' 'version' 'h/help'
        case 'relocate'
            __fileq_parse_subcommand 1 'url=' 'H/header=+' 'b/cookie=+' 'sid=' 'sid-file=' 'user=' 'password-file=' 'cert=' 'key=' 'key-password-file=' 'json' 'v/verbose' 'version' 'h/help'
        case 'history'
            __fileq_parse_subcommand -r 1 'n/number=' 'json' 'version' 'h/help'
        case 'clear'
            __fileq_parse_subcommand -r 1 'keep-history' 'json' 'v/verbose' 'version' 'h/help'
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
            __fileq_parse_subcommand 1 'host=' 'port=' 'name=+' 'tls-cert=' 'tls-key=' 'token-file=' 'max-upload=' 'idle-timeout=' 'rate=' 'no-sync' 'hidden' 'v/verbose' 'version' 'h/help'
        case 'demo'
            __fileq_parse_subcommand 0 'plain' 'rate=' 'version' 'h/help'
        case 'interface'
            __fileq_parse_subcommand 0 'version' 'h/help'
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
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'add' -d 'Queue transfers in the background.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'list' -d 'Show the queue in the background, once.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'info' -d 'Show all that is known of transfers, with their tries and what each cost.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'watch' -d 'Print what happens in the queue, as it happens.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'wait' -d 'Wait until transfers of the queue have ended; the exit code is theirs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'pause' -d 'Stop transfers of the queue; what has arrived is kept.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'resume' -d 'Let paused transfers go on.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'cancel' -d 'End transfers of the queue; what has arrived is kept for a later retry.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'retry' -d 'Start again what failed or was cancelled, from the bytes that are kept.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'move' -d 'Move transfers within the queue: top, up, down or bottom.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'set' -d 'Set priority and rate of transfers, or the limits of the whole queue.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'relocate' -d 'Give a transfer a new address or new credentials; the bytes it has stay.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'history' -d 'Show what has ended, latest first.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'clear' -d 'Forget what has ended, in the queue and in the history.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'logs' -d 'Print the log of the background service.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'trust' -d 'See and change which servers\' keys are trusted although the system does not trust them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'serve' -d 'Receive and hand out files over HTTP.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'demo' -d 'Show it all at once: a server, sample transfers and the interface.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'interface' -d 'Show the queue on the terminal; what \'fileq\' alone does.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'service' -d 'The process that carries background transfers.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" o output' -s 'o' -l 'output' -d 'Save the one file as this; \'-\' writes to standard output, which must not be a terminal.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" d directory' -s 'd' -l 'directory' -d 'Save into this folder instead of the current one.' -rfa '(__fileq_complete_directories)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" sync' -l 'sync' -d 'Fsync file and folder before a download counts as completed. (the default)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-sync' -l 'no-sync' -d 'Do not fsync downloads: faster, and a power cut may empty completed files.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" skip-existing' -l 'skip-existing' -d 'A file that exists already counts as downloaded; nothing is fetched.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" N if-newer' -s 'N' -l 'if-newer' -d 'Replace an existing file only where the server has a newer version or another size; otherwise nothing is fetched.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" checksum-file' -l 'checksum-file' -d 'Take the files\' checksums, by their names, from a list as sha256sum writes them, with --tag or without. An address is fetched first.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" create-dirs' -l 'create-dirs' -d 'Make folders that are missing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" X method' -s 'X' -l 'method' -d 'Use this method instead of GET, PUT or POST.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -s 'H' -l 'header' -d 'Send a header; @FILE takes one a line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -s 'b' -l 'cookie' -d 'Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" e referer' -s 'e' -l 'referer' -d 'Name this page as the one that links to the URL.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" for-all-hosts' -l 'for-all-hosts' -d 'Send -H, -b, -e, --sid, --user and --cert to all servers of this command or list. Without it they go to the first URL\'s scheme, host and port alone.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" cookie-jar' -l 'cookie-jar' -d 'Read cookies from this file before, and write them to it after (Netscape format).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" sid' -l 'sid' -d 'FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" sid-file' -l 'sid-file' -d 'As --sid, read from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'meta' -d 'FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else it is asked for on the terminal. It is sent at once by https; by http when the server asks, as Digest where it can.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" connect-timeout' -l 'connect-timeout' -d 'Give a connection this long to come about. (default: 30)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" request-timeout' -l 'request-timeout' -d 'Give up a try when no byte has moved for this long, either way. (default: 60)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" resource-timeout' -l 'resource-timeout' -d 'Give up a transfer after this long, all tries included. (default: 604800)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" retry' -l 'retry' -d 'Try again this many times after failures that may pass. (default: 5; in the background as often as time allows)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" max-redirs' -l 'max-redirs' -d 'Follow at most this many redirects. (default: 20)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" limit' -l 'limit' -d 'Move at most this many bytes a second, all transfers of this run together: 500k, 2M, 1.5G (1024-based).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" http' -l 'http' -d '1.1: nothing newer. 2: offer HTTP/2, and take 1.1 from a server that has no more. 3: try HTTP/3 first, where libcurl was built with it. (default: fileq chooses)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'pin' -d 'Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX); its certificate must hold too. Repeatable: any of a kind will do.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" allow-downgrade' -l 'allow-downgrade' -d 'Follow redirects from https to http too, where anybody on the way can read and change what is sent.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" cacert' -l 'cacert' -d 'Trust the certificate authorities of this PEM file instead of the system\'s.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-wait' -l 'no-wait' -d 'Fail at once where the network cannot carry a transfer, instead of waiting until it can.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-expensive' -l 'no-expensive' -d 'Use no network that may cost money: mobile ones, and those that NetworkManager or the configuration calls metered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-constrained' -l 'no-constrained' -d 'Use no network that the configuration says is to carry little.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" no-cellular' -l 'no-cellular' -d 'Use no mobile network.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" interface' -l 'interface' -d 'Use this network interface alone, such as wlan0.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" multipath' -l 'multipath' -d 'Use several network paths at once where kernel and server speak Multipath TCP: none, handover, interactive or aggregate; the kernel\'s path manager (\'ip mptcp\') decides which. Alone it means handover. (default: none)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" now' -l 'now' -d 'Use whatever network there is, whatever it costs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get"' -l 'trust' -d 'Accept exactly this public key of a server although the system refuses its certificate, for this run: HOST:PORT=sha256//BASE64, or the key alone for the one server that the URLs name. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" cert' -l 'cert' -d 'Show this certificate to a server that asks for one: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" key' -l 'key' -d 'The private key that belongs to --cert, in PEM, where it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" tls-min' -l 'tls-min' -d 'Speak no older version of TLS: 1.2 or 1.3. (default: 1.2)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" tls-max' -l 'tls-max' -d 'Speak no newer version of TLS: 1.2 or 1.3.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" concurrent j' -s 'j' -l 'concurrent' -d 'Run this many transfers at once.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" i input' -s 'i' -l 'input' -d 'Take more URLs (put: more files) from this file, one a line; \'#\' begins a comment; \'-\' is standard input. Indented lines below a URL are options of aria2 for it.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" checksum' -l 'checksum' -d 'The sum that the one file must have: sha256:HEX or sha512:HEX.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" dry-run' -l 'dry-run' -d 'List what would be done, with sizes where servers and files say them; change nothing, queue nothing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" allow-outside' -l 'allow-outside' -d 'get: let a list name files outside of the -d folder, and hidden ones.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" overwrite' -l 'overwrite' -d 'get: replace what already bears the final name. put: that is the server\'s decision.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" json' -l 'json' -d 'Write one JSON object an event to standard output, and nothing else there.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" plain' -l 'plain' -d 'Report progress as one line an event instead of bars; right for screen readers and logs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" q quiet' -s 'q' -l 'quiet' -d 'Report errors only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" v verbose' -s 'v' -l 'verbose' -d 'Show for each transfer what it cost: protocol, address, exchanges, and a waterfall of their stages.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq put" -ge 1' -F
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" r recursive' -s 'r' -l 'recursive' -d 'Send folders with all that is in them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" follow' -l 'follow' -d 'With -r, send what symbolic links point to instead of skipping them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" X method' -s 'X' -l 'method' -d 'Use this method instead of GET, PUT or POST.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -s 'H' -l 'header' -d 'Send a header; @FILE takes one a line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -s 'b' -l 'cookie' -d 'Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" e referer' -s 'e' -l 'referer' -d 'Name this page as the one that links to the URL.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" for-all-hosts' -l 'for-all-hosts' -d 'Send -H, -b, -e, --sid, --user and --cert to all servers of this command or list. Without it they go to the first URL\'s scheme, host and port alone.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" cookie-jar' -l 'cookie-jar' -d 'Read cookies from this file before, and write them to it after (Netscape format).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" sid' -l 'sid' -d 'FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" sid-file' -l 'sid-file' -d 'As --sid, read from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -l 'meta' -d 'FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else it is asked for on the terminal. It is sent at once by https; by http when the server asks, as Digest where it can.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" connect-timeout' -l 'connect-timeout' -d 'Give a connection this long to come about. (default: 30)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" request-timeout' -l 'request-timeout' -d 'Give up a try when no byte has moved for this long, either way. (default: 60)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" resource-timeout' -l 'resource-timeout' -d 'Give up a transfer after this long, all tries included. (default: 604800)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" retry' -l 'retry' -d 'Try again this many times after failures that may pass. (default: 5; in the background as often as time allows)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" max-redirs' -l 'max-redirs' -d 'Follow at most this many redirects. (default: 20)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" limit' -l 'limit' -d 'Move at most this many bytes a second, all transfers of this run together: 500k, 2M, 1.5G (1024-based).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" http' -l 'http' -d '1.1: nothing newer. 2: offer HTTP/2, and take 1.1 from a server that has no more. 3: try HTTP/3 first, where libcurl was built with it. (default: fileq chooses)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -l 'pin' -d 'Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX); its certificate must hold too. Repeatable: any of a kind will do.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" allow-downgrade' -l 'allow-downgrade' -d 'Follow redirects from https to http too, where anybody on the way can read and change what is sent.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" cacert' -l 'cacert' -d 'Trust the certificate authorities of this PEM file instead of the system\'s.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-wait' -l 'no-wait' -d 'Fail at once where the network cannot carry a transfer, instead of waiting until it can.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-expensive' -l 'no-expensive' -d 'Use no network that may cost money: mobile ones, and those that NetworkManager or the configuration calls metered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-constrained' -l 'no-constrained' -d 'Use no network that the configuration says is to carry little.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" no-cellular' -l 'no-cellular' -d 'Use no mobile network.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" interface' -l 'interface' -d 'Use this network interface alone, such as wlan0.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" multipath' -l 'multipath' -d 'Use several network paths at once where kernel and server speak Multipath TCP: none, handover, interactive or aggregate; the kernel\'s path manager (\'ip mptcp\') decides which. Alone it means handover. (default: none)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" now' -l 'now' -d 'Use whatever network there is, whatever it costs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put"' -l 'trust' -d 'Accept exactly this public key of a server although the system refuses its certificate, for this run: HOST:PORT=sha256//BASE64, or the key alone for the one server that the URLs name. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" cert' -l 'cert' -d 'Show this certificate to a server that asks for one: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" key' -l 'key' -d 'The private key that belongs to --cert, in PEM, where it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" tls-min' -l 'tls-min' -d 'Speak no older version of TLS: 1.2 or 1.3. (default: 1.2)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" tls-max' -l 'tls-max' -d 'Speak no newer version of TLS: 1.2 or 1.3.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" concurrent j' -s 'j' -l 'concurrent' -d 'Run this many transfers at once.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" i input' -s 'i' -l 'input' -d 'Take more URLs (put: more files) from this file, one a line; \'#\' begins a comment; \'-\' is standard input. Indented lines below a URL are options of aria2 for it.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" checksum' -l 'checksum' -d 'The sum that the one file must have: sha256:HEX or sha512:HEX.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" dry-run' -l 'dry-run' -d 'List what would be done, with sizes where servers and files say them; change nothing, queue nothing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" allow-outside' -l 'allow-outside' -d 'get: let a list name files outside of the -d folder, and hidden ones.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" overwrite' -l 'overwrite' -d 'get: replace what already bears the final name. put: that is the server\'s decision.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" json' -l 'json' -d 'Write one JSON object an event to standard output, and nothing else there.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" plain' -l 'plain' -d 'Report progress as one line an event instead of bars; right for screen readers and logs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" q quiet' -s 'q' -l 'quiet' -d 'Report errors only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" v verbose' -s 'v' -l 'verbose' -d 'Show for each transfer what it cost: protocol, address, exchanges, and a waterfall of their stages.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq put" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq add" -eq 1' -fa 'get' -d 'Queue downloads in the background.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq add" -eq 1' -fa 'put' -d 'Queue uploads in the background.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq add" -eq 1' -fa 'curl' -d 'Queue what a command line of curl would transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" o output' -s 'o' -l 'output' -d 'Save the one file as this.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" d directory' -s 'd' -l 'directory' -d 'Save into this folder instead of the current one.' -rfa '(__fileq_complete_directories)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" sync' -l 'sync' -d 'Fsync file and folder before a download counts as completed. (the default)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-sync' -l 'no-sync' -d 'Do not fsync downloads: faster, and a power cut may empty completed files.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" curl' -l 'curl' -d 'Take URLs and options from a line for curl; \'-\' reads it from standard input.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" skip-existing' -l 'skip-existing' -d 'A file that exists already counts as downloaded; nothing is fetched.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" N if-newer' -s 'N' -l 'if-newer' -d 'Replace an existing file only where the server has a newer version or another size; otherwise nothing is fetched.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" checksum-file' -l 'checksum-file' -d 'Take the files\' checksums, by their names, from a list as sha256sum writes them, with --tag or without. An address is fetched first.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" create-dirs' -l 'create-dirs' -d 'Make folders that are missing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" paused' -l 'paused' -d 'Queue without starting; \'fileq resume\' starts.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" at' -l 'at' -d 'Do not start before: 23:30, \'tomorrow 08:00\', +2h30m, or a date and time such as 2026-12-24T18:00:00+01:00.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" discretionary' -l 'discretionary' -d 'Start only on a network that costs nothing, while nothing else of the queue runs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" priority' -l 'priority' -d 'Who starts first: low, normal, high, or a number from 0 to 1. (default: normal)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" X method' -s 'X' -l 'method' -d 'Use this method instead of GET, PUT or POST.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -s 'H' -l 'header' -d 'Send a header; @FILE takes one a line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -s 'b' -l 'cookie' -d 'Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" e referer' -s 'e' -l 'referer' -d 'Name this page as the one that links to the URL.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" for-all-hosts' -l 'for-all-hosts' -d 'Send -H, -b, -e, --sid, --user and --cert to all servers of this command or list. Without it they go to the first URL\'s scheme, host and port alone.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" cookie-jar' -l 'cookie-jar' -d 'Read cookies from this file before, and write them to it after (Netscape format).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" sid' -l 'sid' -d 'FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" sid-file' -l 'sid-file' -d 'As --sid, read from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -l 'meta' -d 'FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else it is asked for on the terminal. It is sent at once by https; by http when the server asks, as Digest where it can.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" connect-timeout' -l 'connect-timeout' -d 'Give a connection this long to come about. (default: 30)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" request-timeout' -l 'request-timeout' -d 'Give up a try when no byte has moved for this long, either way. (default: 60)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" resource-timeout' -l 'resource-timeout' -d 'Give up a transfer after this long, all tries included. (default: 604800)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" retry' -l 'retry' -d 'Try again this many times after failures that may pass. (default: 5; in the background as often as time allows)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" max-redirs' -l 'max-redirs' -d 'Follow at most this many redirects. (default: 20)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" limit' -l 'limit' -d 'Move at most this many bytes a second, all transfers of this run together: 500k, 2M, 1.5G (1024-based).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" http' -l 'http' -d '1.1: nothing newer. 2: offer HTTP/2, and take 1.1 from a server that has no more. 3: try HTTP/3 first, where libcurl was built with it. (default: fileq chooses)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get"' -l 'pin' -d 'Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX); its certificate must hold too. Repeatable: any of a kind will do.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" allow-downgrade' -l 'allow-downgrade' -d 'Follow redirects from https to http too, where anybody on the way can read and change what is sent.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" cacert' -l 'cacert' -d 'Trust the certificate authorities of this PEM file instead of the system\'s.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-wait' -l 'no-wait' -d 'Fail at once where the network cannot carry a transfer, instead of waiting until it can.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-expensive' -l 'no-expensive' -d 'Use no network that may cost money: mobile ones, and those that NetworkManager or the configuration calls metered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-constrained' -l 'no-constrained' -d 'Use no network that the configuration says is to carry little.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" no-cellular' -l 'no-cellular' -d 'Use no mobile network.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" interface' -l 'interface' -d 'Use this network interface alone, such as wlan0.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" multipath' -l 'multipath' -d 'Use several network paths at once where kernel and server speak Multipath TCP: none, handover, interactive or aggregate; the kernel\'s path manager (\'ip mptcp\') decides which. Alone it means handover. (default: none)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" now' -l 'now' -d 'Use whatever network there is, whatever it costs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" cert' -l 'cert' -d 'Show this certificate to a server that asks for one: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" key' -l 'key' -d 'The private key that belongs to --cert, in PEM, where it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" i input' -s 'i' -l 'input' -d 'Take more URLs (put: more files) from this file, one a line; \'#\' begins a comment; \'-\' is standard input. Indented lines below a URL are options of aria2 for it.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" checksum' -l 'checksum' -d 'The sum that the one file must have: sha256:HEX or sha512:HEX.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" dry-run' -l 'dry-run' -d 'List what would be done, with sizes where servers and files say them; change nothing, queue nothing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" allow-outside' -l 'allow-outside' -d 'get: let a list name files outside of the -d folder, and hidden ones.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" overwrite' -l 'overwrite' -d 'get: replace what already bears the final name. put: that is the server\'s decision.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" json' -l 'json' -d 'Write one JSON object a transfer instead of its id.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" q quiet' -s 'q' -l 'quiet' -d 'Say nothing on standard error but errors.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq add put" -ge 1' -F
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" r recursive' -s 'r' -l 'recursive' -d 'Send folders with all that is in them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" follow' -l 'follow' -d 'With -r, send what symbolic links point to instead of skipping them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" paused' -l 'paused' -d 'Queue without starting; \'fileq resume\' starts.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" at' -l 'at' -d 'Do not start before: 23:30, \'tomorrow 08:00\', +2h30m, or a date and time such as 2026-12-24T18:00:00+01:00.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" discretionary' -l 'discretionary' -d 'Start only on a network that costs nothing, while nothing else of the queue runs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" priority' -l 'priority' -d 'Who starts first: low, normal, high, or a number from 0 to 1. (default: normal)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" X method' -s 'X' -l 'method' -d 'Use this method instead of GET, PUT or POST.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -s 'H' -l 'header' -d 'Send a header; @FILE takes one a line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -s 'b' -l 'cookie' -d 'Send a cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" e referer' -s 'e' -l 'referer' -d 'Name this page as the one that links to the URL.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" for-all-hosts' -l 'for-all-hosts' -d 'Send -H, -b, -e, --sid, --user and --cert to all servers of this command or list. Without it they go to the first URL\'s scheme, host and port alone.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" cookie-jar' -l 'cookie-jar' -d 'Read cookies from this file before, and write them to it after (Netscape format).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" sid' -l 'sid' -d 'FileQ session (the fileuploadSID cookie); makes put a FileQ upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" sid-file' -l 'sid-file' -d 'As --sid, read from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -l 'meta' -d 'FileQ metadata (a fileq-meta-NAME cookie); makes put a FileQ upload. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else it is asked for on the terminal. It is sent at once by https; by http when the server asks, as Digest where it can.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" connect-timeout' -l 'connect-timeout' -d 'Give a connection this long to come about. (default: 30)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" request-timeout' -l 'request-timeout' -d 'Give up a try when no byte has moved for this long, either way. (default: 60)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" resource-timeout' -l 'resource-timeout' -d 'Give up a transfer after this long, all tries included. (default: 604800)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" retry' -l 'retry' -d 'Try again this many times after failures that may pass. (default: 5; in the background as often as time allows)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" max-redirs' -l 'max-redirs' -d 'Follow at most this many redirects. (default: 20)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" limit' -l 'limit' -d 'Move at most this many bytes a second, all transfers of this run together: 500k, 2M, 1.5G (1024-based).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" http' -l 'http' -d '1.1: nothing newer. 2: offer HTTP/2, and take 1.1 from a server that has no more. 3: try HTTP/3 first, where libcurl was built with it. (default: fileq chooses)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put"' -l 'pin' -d 'Accept only a server with this public key (sha256//BASE64) or this certificate (cert-sha256:HEX); its certificate must hold too. Repeatable: any of a kind will do.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" allow-downgrade' -l 'allow-downgrade' -d 'Follow redirects from https to http too, where anybody on the way can read and change what is sent.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" cacert' -l 'cacert' -d 'Trust the certificate authorities of this PEM file instead of the system\'s.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-wait' -l 'no-wait' -d 'Fail at once where the network cannot carry a transfer, instead of waiting until it can.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-expensive' -l 'no-expensive' -d 'Use no network that may cost money: mobile ones, and those that NetworkManager or the configuration calls metered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-constrained' -l 'no-constrained' -d 'Use no network that the configuration says is to carry little.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" no-cellular' -l 'no-cellular' -d 'Use no mobile network.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" interface' -l 'interface' -d 'Use this network interface alone, such as wlan0.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" multipath' -l 'multipath' -d 'Use several network paths at once where kernel and server speak Multipath TCP: none, handover, interactive or aggregate; the kernel\'s path manager (\'ip mptcp\') decides which. Alone it means handover. (default: none)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" now' -l 'now' -d 'Use whatever network there is, whatever it costs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" cert' -l 'cert' -d 'Show this certificate to a server that asks for one: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" key' -l 'key' -d 'The private key that belongs to --cert, in PEM, where it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" i input' -s 'i' -l 'input' -d 'Take more URLs (put: more files) from this file, one a line; \'#\' begins a comment; \'-\' is standard input. Indented lines below a URL are options of aria2 for it.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" checksum' -l 'checksum' -d 'The sum that the one file must have: sha256:HEX or sha512:HEX.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" dry-run' -l 'dry-run' -d 'List what would be done, with sizes where servers and files say them; change nothing, queue nothing.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" allow-outside' -l 'allow-outside' -d 'get: let a list name files outside of the -d folder, and hidden ones.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" overwrite' -l 'overwrite' -d 'get: replace what already bears the final name. put: that is the server\'s decision.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" json' -l 'json' -d 'Write one JSON object a transfer instead of its id.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" q quiet' -s 'q' -l 'quiet' -d 'Say nothing on standard error but errors.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add put" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add curl" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq add curl" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq list" json' -l 'json' -d 'One JSON object a transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq list" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq info" json' -l 'json' -d 'One JSON object a transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq info" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq watch" json' -l 'json' -d 'JSON objects on a terminal too.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq watch" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" all' -l 'all' -d 'All transfers for which it means something.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" json' -l 'json' -d 'Write one JSON object an event to standard output, and nothing else there.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" plain' -l 'plain' -d 'Report progress as one line an event instead of bars; right for screen readers and logs.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" q quiet' -s 'q' -l 'quiet' -d 'Report errors only.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" v verbose' -s 'v' -l 'verbose' -d 'Show for each transfer what it cost: protocol, address, exchanges, and a waterfall of their stages.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq wait" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" all' -l 'all' -d 'All transfers for which it means something.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" json' -l 'json' -d 'Write one JSON object for each transfer concerned, as it stands right after.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" v verbose' -s 'v' -l 'verbose' -d 'Print a line for each transfer concerned.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq pause" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" all' -l 'all' -d 'All transfers for which it means something.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" now' -l 'now' -d 'Use whatever network there is from now on, whatever it costs; what waits for another one goes on too.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" json' -l 'json' -d 'Write one JSON object for each transfer concerned, as it stands right after.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" v verbose' -s 'v' -l 'verbose' -d 'Print a line for each transfer concerned.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq resume" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" all' -l 'all' -d 'All transfers for which it means something.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" delete' -l 'delete' -d 'Remove the partial files of downloads too.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" json' -l 'json' -d 'Write one JSON object for each transfer concerned, as it stands right after.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" v verbose' -s 'v' -l 'verbose' -d 'Print a line for each transfer concerned.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq cancel" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" all' -l 'all' -d 'All transfers for which it means something.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" json' -l 'json' -d 'Write one JSON object for each transfer concerned, as it stands right after.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" v verbose' -s 'v' -l 'verbose' -d 'Print a line for each transfer concerned.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq retry" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" json' -l 'json' -d 'Write one JSON object for each transfer concerned, as it stands right after.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" v verbose' -s 'v' -l 'verbose' -d 'Print a line for each transfer concerned.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq move" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" all' -l 'all' -d 'All transfers for which it means something.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" priority' -l 'priority' -d 'Which start first: low, normal, high, or a number from 0 to 1 (0.5 is normal).' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" limit' -l 'limit' -d 'Bytes a second that each of the transfers may use, such as 500k or 2M; \'none\' lifts it.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" download-limit' -l 'download-limit' -d 'Bytes a second over all downloads; \'none\' lifts it.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" upload-limit' -l 'upload-limit' -d 'Bytes a second over all uploads; \'none\' lifts it.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" concurrent j' -s 'j' -l 'concurrent' -d 'How many transfers run at once.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" per-host' -l 'per-host' -d 'How many of them with one host; \'none\' for any number.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" timetable' -l 'timetable' -d 'Rates by the hour, which stand in for --download-limit and --upload-limit while they hold: entries parted by \';\', each with days (all without), a time, and down=RATE, up=RATE, \'unlimited\', or \'off\' for the queue\'s own limits. \'off\' alone takes the table away.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" json' -l 'json' -d 'Write one JSON object for each transfer concerned, as it stands right after.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" v verbose' -s 'v' -l 'verbose' -d 'Print a line for each transfer concerned.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" url' -l 'url' -d 'The new address: http or https.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate"' -s 'H' -l 'header' -d 'Send this header instead of what was given by that name; @FILE takes one a line from a file. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate"' -s 'b' -l 'cookie' -d 'Send this cookie; @FILE takes them from a file of NAME=VALUE lines or in Netscape format. Repeatable.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" sid' -l 'sid' -d 'New FileQ session of an upload. Others can see it in the process list.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" sid-file' -l 'sid-file' -d 'As --sid, read from the first line of a file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" user' -l 'user' -d 'Log in as NAME. The password comes from --password-file, else from netrc, else it is asked for on the terminal. It is sent at once by https; by http when the server asks, as Digest where it can.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" password-file' -l 'password-file' -d 'Read the password from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" cert' -l 'cert' -d 'Show this certificate to a server that asks for one: PEM, or PKCS #12 (.p12, .pfx).' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" key' -l 'key' -d 'The private key that belongs to --cert, in PEM, where it is not in the same file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" key-password-file' -l 'key-password-file' -d 'Read the password of the private key from the first line of this file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" json' -l 'json' -d 'Write one JSON object for each transfer concerned, as it stands right after.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" v verbose' -s 'v' -l 'verbose' -d 'Print a line for each transfer concerned.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq relocate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" n number' -s 'n' -l 'number' -d 'At most so many. (default: all)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" json' -l 'json' -d 'One JSON object a transfer.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" keep-history' -l 'keep-history' -d 'Take them out of the queue only; \'fileq history\' keeps them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" json' -l 'json' -d 'Write how many were forgotten as a JSON object.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" v verbose' -s 'v' -l 'verbose' -d 'Print how many were forgotten.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq clear" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq logs" n number' -s 'n' -l 'number' -d 'The last so many lines. (default: all)' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq logs" f follow' -s 'f' -l 'follow' -d 'Go on printing what is added, until Ctrl-C.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq logs" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq logs" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq trust" -eq 1' -fa 'list' -d 'Print the keys, one a line.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq trust" -eq 1' -fa 'add' -d 'Trust a key of a server from now on, in place of those that were trusted of it before.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq trust" -eq 1' -fa 'remove' -d 'Trust no key of these servers any more.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust list" json' -l 'json' -d 'One JSON object a line: host, port, publicKey, certificate, accepted, subject.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust list" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust add" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust remove" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq trust remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq serve" -eq 1' -fa '(__fileq_complete_directories)'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" host' -l 'host' -d 'The address to listen at.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" port' -l 'port' -d 'The port to listen at; 0 picks one that is free.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve"' -l 'name' -d 'A further name by which requests may address the server; may be repeated.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" tls-cert' -l 'tls-cert' -d 'The certificate chain, a PEM file; with --tls-key the server speaks HTTPS.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" tls-key' -l 'tls-key' -d 'The certificate\'s private key, a PEM file.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" token-file' -l 'token-file' -d 'A file whose first line every request must bring as \'Authorization: Bearer\'.' -rF
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" max-upload' -l 'max-upload' -d 'The largest upload taken, such as 500M or 10G.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" idle-timeout' -l 'idle-timeout' -d 'Seconds without a byte after which a connection is ended.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" rate' -l 'rate' -d 'Bytes a second for each connection, each way, such as 500k: to slow it for demonstration.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" no-sync' -l 'no-sync' -d 'Do not make uploads durable before they are answered: quicker, and a power cut may lose what was answered.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" hidden' -l 'hidden' -d 'List names that begin with a dot too.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" v verbose' -s 'v' -l 'verbose' -d 'Write one line a request to standard error.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq demo" plain' -l 'plain' -d 'Do not open the interface, also on a terminal.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq demo" rate' -l 'rate' -d 'Bytes a second for each connection, such as 2M.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq demo" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq demo" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq interface" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq service" -eq 1' -fa 'run' -d 'Run the service in this terminal.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq service" -eq 1' -fa 'status' -d 'Say whether the service is running, and what it carries.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq service" -eq 1' -fa 'stop' -d 'End the service; all transfers are kept and go on with its next start.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_positional "fileq service" -eq 1' -fa 'install' -d 'Write units for systemd, so that transfers go on after a reboot.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service run" idle-timeout' -l 'idle-timeout' -d 'Seconds without anybody and anything to do after which it ends; 0: never.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service run" concurrent j' -s 'j' -l 'concurrent' -d 'How many transfers run at once, until a command changes it.' -rfka ''
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service run" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service status" json' -l 'json' -d 'One JSON object: pid, version, protocol, socket, log, started (RFC 3339), clients, in transfers how many there are in each state, limits in force (concurrent, perHost, download, upload; absent: unlimited), and configuration: file, modified, problem, hooks (the program of each), interfaces.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service status" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service stop" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service stop" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service install" print' -l 'print' -d 'Print the units instead of writing them.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service install" version' -l 'version' -d 'Show the version.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq service install" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fileq' -n '__fileq_should_offer_completions_for_flags_or_options "fileq help" version' -l 'version' -d 'Show the version.'
