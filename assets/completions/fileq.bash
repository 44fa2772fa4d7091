#!/bin/bash

__fileq_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__fileq_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__fileq_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__fileq_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_fileq() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __fileq_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    get|put|ls|add|list|info|watch|wait|pause|resume|cancel|retry|move|set|relocate|undo|open|copy|history|clear|logs|places|trust|serve|demo|interface|keys|service|rpc|control|help)
        # Offer subcommand argument completions
        "_fileq_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'get put ls add list info watch wait pause resume cancel retry move set relocate undo open copy history clear logs places trust serve demo interface keys service rpc control help' -- "${cur}"))
        ;;
    esac
}

_fileq_get() {
    repeating_flags=()
    non_repeating_flags=(--sync --no-sync --skip-existing -N --if-newer --keep-both --no-metalink --create-dirs --for-all-hosts --allow-downgrade --no-wait --no-expensive --no-constrained --no-cellular --now --dry-run --allow-outside --overwrite --json --plain -q --quiet -v --verbose --version -h --help)
    repeating_options=(--mirror --metalink -H --header -b --cookie --meta --pin --trust -i --input --checksum)
    non_repeating_options=(-o --output -d --directory --checksum-file --split -X --method -e --referer -A --user-agent --cookie-jar --sid --sid-file --user --password-file --token-file --connect-timeout --request-timeout --response-timeout --resource-timeout --retry --retry-max-wait --max-redirs --limit --http --cacert --interface --multipath --cert --key --key-password-file --tls-min --tls-max -j --concurrent)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __fileq_add_completions -f
        return
        ;;
    '-d'|'--directory')
        __fileq_add_completions -d
        return
        ;;
    '--checksum-file')
        __fileq_add_completions -f
        return
        ;;
    '--mirror')
        return
        ;;
    '--metalink')
        __fileq_add_completions -f
        return
        ;;
    '--split')
        return
        ;;
    '-X'|'--method')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '--cookie-jar')
        __fileq_add_completions -f
        return
        ;;
    '--sid')
        return
        ;;
    '--sid-file')
        __fileq_add_completions -f
        return
        ;;
    '--meta')
        return
        ;;
    '--user')
        return
        ;;
    '--password-file')
        __fileq_add_completions -f
        return
        ;;
    '--token-file')
        __fileq_add_completions -f
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--request-timeout')
        return
        ;;
    '--response-timeout')
        return
        ;;
    '--resource-timeout')
        return
        ;;
    '--retry')
        return
        ;;
    '--retry-max-wait')
        return
        ;;
    '--max-redirs')
        return
        ;;
    '--limit')
        return
        ;;
    '--http')
        __fileq_add_completions -W '1.1'$'\n''2'$'\n''3'
        return
        ;;
    '--pin')
        return
        ;;
    '--cacert')
        __fileq_add_completions -f
        return
        ;;
    '--interface')
        __fileq_add_completions -W "$(eval 'ls /sys/class/net 2>/dev/null')"
        return
        ;;
    '--multipath')
        __fileq_add_completions -W 'none'$'\n''handover'$'\n''interactive'$'\n''aggregate'
        return
        ;;
    '--cert')
        __fileq_add_completions -f
        return
        ;;
    '--key')
        __fileq_add_completions -f
        return
        ;;
    '--key-password-file')
        __fileq_add_completions -f
        return
        ;;
    '--trust')
        return
        ;;
    '--tls-min')
        __fileq_add_completions -W '1.2'$'\n''1.3'
        return
        ;;
    '--tls-max')
        __fileq_add_completions -W '1.2'$'\n''1.3'
        return
        ;;
    '-j'|'--concurrent')
        return
        ;;
    '-i'|'--input')
        __fileq_add_completions -f
        return
        ;;
    '--checksum')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion get -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_put() {
    repeating_flags=()
    non_repeating_flags=(-r --recursive --follow --no-overwrite --share --qr --for-all-hosts --allow-downgrade --no-wait --no-expensive --no-constrained --no-cellular --now --dry-run --allow-outside --overwrite --json --plain -q --quiet -v --verbose --version -h --help)
    repeating_options=(-H --header -b --cookie --meta --pin --trust -i --input --checksum)
    non_repeating_options=(--resumable --split --name --if-match --s3-endpoint --s3-region --s3-profile --s3-part-size --share-expires --share-downloads --share-password-file -X --method -e --referer -A --user-agent --cookie-jar --sid --sid-file --user --password-file --token-file --connect-timeout --request-timeout --response-timeout --resource-timeout --retry --retry-max-wait --max-redirs --limit --http --cacert --interface --multipath --cert --key --key-password-file --tls-min --tls-max -j --concurrent)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--resumable')
        __fileq_add_completions -W 'never'$'\n''auto'$'\n''ietf'$'\n''tus'
        return
        ;;
    '--split')
        return
        ;;
    '--name')
        return
        ;;
    '--if-match')
        return
        ;;
    '--s3-endpoint')
        return
        ;;
    '--s3-region')
        return
        ;;
    '--s3-profile')
        return
        ;;
    '--s3-part-size')
        return
        ;;
    '--share-expires')
        return
        ;;
    '--share-downloads')
        return
        ;;
    '--share-password-file')
        __fileq_add_completions -f
        return
        ;;
    '-X'|'--method')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '--cookie-jar')
        __fileq_add_completions -f
        return
        ;;
    '--sid')
        return
        ;;
    '--sid-file')
        __fileq_add_completions -f
        return
        ;;
    '--meta')
        return
        ;;
    '--user')
        return
        ;;
    '--password-file')
        __fileq_add_completions -f
        return
        ;;
    '--token-file')
        __fileq_add_completions -f
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--request-timeout')
        return
        ;;
    '--response-timeout')
        return
        ;;
    '--resource-timeout')
        return
        ;;
    '--retry')
        return
        ;;
    '--retry-max-wait')
        return
        ;;
    '--max-redirs')
        return
        ;;
    '--limit')
        return
        ;;
    '--http')
        __fileq_add_completions -W '1.1'$'\n''2'$'\n''3'
        return
        ;;
    '--pin')
        return
        ;;
    '--cacert')
        __fileq_add_completions -f
        return
        ;;
    '--interface')
        __fileq_add_completions -W "$(eval 'ls /sys/class/net 2>/dev/null')"
        return
        ;;
    '--multipath')
        __fileq_add_completions -W 'none'$'\n''handover'$'\n''interactive'$'\n''aggregate'
        return
        ;;
    '--cert')
        __fileq_add_completions -f
        return
        ;;
    '--key')
        __fileq_add_completions -f
        return
        ;;
    '--key-password-file')
        __fileq_add_completions -f
        return
        ;;
    '--trust')
        return
        ;;
    '--tls-min')
        __fileq_add_completions -W '1.2'$'\n''1.3'
        return
        ;;
    '--tls-max')
        __fileq_add_completions -W '1.2'$'\n''1.3'
        return
        ;;
    '-j'|'--concurrent')
        return
        ;;
    '-i'|'--input')
        __fileq_add_completions -f
        return
        ;;
    '--checksum')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -f
        return
        ;;
    esac
}

_fileq_ls() {
    repeating_flags=()
    non_repeating_flags=(-l --long -R --recursive --json --for-all-hosts --allow-downgrade --no-wait --no-expensive --no-constrained --no-cellular --now --version -h --help)
    repeating_options=(-H --header -b --cookie --meta --pin --trust)
    non_repeating_options=(--depth --s3-endpoint --s3-region --s3-profile -X --method -e --referer -A --user-agent --cookie-jar --sid --sid-file --user --password-file --token-file --connect-timeout --request-timeout --response-timeout --resource-timeout --retry --retry-max-wait --max-redirs --limit --http --cacert --interface --multipath --cert --key --key-password-file --tls-min --tls-max)
    __fileq_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--depth')
        return
        ;;
    '--s3-endpoint')
        return
        ;;
    '--s3-region')
        return
        ;;
    '--s3-profile')
        return
        ;;
    '-X'|'--method')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '--cookie-jar')
        __fileq_add_completions -f
        return
        ;;
    '--sid')
        return
        ;;
    '--sid-file')
        __fileq_add_completions -f
        return
        ;;
    '--meta')
        return
        ;;
    '--user')
        return
        ;;
    '--password-file')
        __fileq_add_completions -f
        return
        ;;
    '--token-file')
        __fileq_add_completions -f
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--request-timeout')
        return
        ;;
    '--response-timeout')
        return
        ;;
    '--resource-timeout')
        return
        ;;
    '--retry')
        return
        ;;
    '--retry-max-wait')
        return
        ;;
    '--max-redirs')
        return
        ;;
    '--limit')
        return
        ;;
    '--http')
        __fileq_add_completions -W '1.1'$'\n''2'$'\n''3'
        return
        ;;
    '--pin')
        return
        ;;
    '--cacert')
        __fileq_add_completions -f
        return
        ;;
    '--interface')
        __fileq_add_completions -W "$(eval 'ls /sys/class/net 2>/dev/null')"
        return
        ;;
    '--multipath')
        __fileq_add_completions -W 'none'$'\n''handover'$'\n''interactive'$'\n''aggregate'
        return
        ;;
    '--cert')
        __fileq_add_completions -f
        return
        ;;
    '--key')
        __fileq_add_completions -f
        return
        ;;
    '--key-password-file')
        __fileq_add_completions -f
        return
        ;;
    '--trust')
        return
        ;;
    '--tls-min')
        __fileq_add_completions -W '1.2'$'\n''1.3'
        return
        ;;
    '--tls-max')
        __fileq_add_completions -W '1.2'$'\n''1.3'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion ls -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_add() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    get|put|curl)
        # Offer subcommand argument completions
        "_fileq_add_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'get put curl' -- "${cur}"))
        ;;
    esac
}

_fileq_add_get() {
    repeating_flags=()
    non_repeating_flags=(--sync --no-sync --skip-existing -N --if-newer --keep-both --no-metalink --create-dirs --paused --discretionary --for-all-hosts --allow-downgrade --no-wait --no-expensive --no-constrained --no-cellular --now --dry-run --allow-outside --overwrite --json -q --quiet --version -h --help)
    repeating_options=(--mirror --metalink --after -H --header -b --cookie --meta --pin -i --input --checksum)
    non_repeating_options=(-o --output -d --directory --curl --checksum-file --split --at --priority -X --method -e --referer -A --user-agent --cookie-jar --sid --sid-file --user --password-file --token-file --connect-timeout --request-timeout --response-timeout --resource-timeout --retry --retry-max-wait --max-redirs --limit --http --cacert --interface --multipath --cert --key --key-password-file --on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __fileq_add_completions -f
        return
        ;;
    '-d'|'--directory')
        __fileq_add_completions -d
        return
        ;;
    '--curl')
        return
        ;;
    '--checksum-file')
        __fileq_add_completions -f
        return
        ;;
    '--mirror')
        return
        ;;
    '--metalink')
        __fileq_add_completions -f
        return
        ;;
    '--split')
        return
        ;;
    '--at')
        return
        ;;
    '--after')
        return
        ;;
    '--priority')
        __fileq_add_completions -W 'low'$'\n''normal'$'\n''high'
        return
        ;;
    '-X'|'--method')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '--cookie-jar')
        __fileq_add_completions -f
        return
        ;;
    '--sid')
        return
        ;;
    '--sid-file')
        __fileq_add_completions -f
        return
        ;;
    '--meta')
        return
        ;;
    '--user')
        return
        ;;
    '--password-file')
        __fileq_add_completions -f
        return
        ;;
    '--token-file')
        __fileq_add_completions -f
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--request-timeout')
        return
        ;;
    '--response-timeout')
        return
        ;;
    '--resource-timeout')
        return
        ;;
    '--retry')
        return
        ;;
    '--retry-max-wait')
        return
        ;;
    '--max-redirs')
        return
        ;;
    '--limit')
        return
        ;;
    '--http')
        __fileq_add_completions -W '1.1'$'\n''2'$'\n''3'
        return
        ;;
    '--pin')
        return
        ;;
    '--cacert')
        __fileq_add_completions -f
        return
        ;;
    '--interface')
        __fileq_add_completions -W "$(eval 'ls /sys/class/net 2>/dev/null')"
        return
        ;;
    '--multipath')
        __fileq_add_completions -W 'none'$'\n''handover'$'\n''interactive'$'\n''aggregate'
        return
        ;;
    '--cert')
        __fileq_add_completions -f
        return
        ;;
    '--key')
        __fileq_add_completions -f
        return
        ;;
    '--key-password-file')
        __fileq_add_completions -f
        return
        ;;
    '-i'|'--input')
        __fileq_add_completions -f
        return
        ;;
    '--checksum')
        return
        ;;
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion add get -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_add_put() {
    repeating_flags=()
    non_repeating_flags=(-r --recursive --follow --no-overwrite --paused --discretionary --for-all-hosts --allow-downgrade --no-wait --no-expensive --no-constrained --no-cellular --now --dry-run --allow-outside --overwrite --json -q --quiet --version -h --help)
    repeating_options=(--after -H --header -b --cookie --meta --pin -i --input --checksum)
    non_repeating_options=(--resumable --split --if-match --s3-endpoint --s3-region --s3-profile --s3-part-size --at --priority -X --method -e --referer -A --user-agent --cookie-jar --sid --sid-file --user --password-file --token-file --connect-timeout --request-timeout --response-timeout --resource-timeout --retry --retry-max-wait --max-redirs --limit --http --cacert --interface --multipath --cert --key --key-password-file --on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--resumable')
        __fileq_add_completions -W 'never'$'\n''auto'$'\n''ietf'$'\n''tus'
        return
        ;;
    '--split')
        return
        ;;
    '--if-match')
        return
        ;;
    '--s3-endpoint')
        return
        ;;
    '--s3-region')
        return
        ;;
    '--s3-profile')
        return
        ;;
    '--s3-part-size')
        return
        ;;
    '--at')
        return
        ;;
    '--after')
        return
        ;;
    '--priority')
        __fileq_add_completions -W 'low'$'\n''normal'$'\n''high'
        return
        ;;
    '-X'|'--method')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '--cookie-jar')
        __fileq_add_completions -f
        return
        ;;
    '--sid')
        return
        ;;
    '--sid-file')
        __fileq_add_completions -f
        return
        ;;
    '--meta')
        return
        ;;
    '--user')
        return
        ;;
    '--password-file')
        __fileq_add_completions -f
        return
        ;;
    '--token-file')
        __fileq_add_completions -f
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--request-timeout')
        return
        ;;
    '--response-timeout')
        return
        ;;
    '--resource-timeout')
        return
        ;;
    '--retry')
        return
        ;;
    '--retry-max-wait')
        return
        ;;
    '--max-redirs')
        return
        ;;
    '--limit')
        return
        ;;
    '--http')
        __fileq_add_completions -W '1.1'$'\n''2'$'\n''3'
        return
        ;;
    '--pin')
        return
        ;;
    '--cacert')
        __fileq_add_completions -f
        return
        ;;
    '--interface')
        __fileq_add_completions -W "$(eval 'ls /sys/class/net 2>/dev/null')"
        return
        ;;
    '--multipath')
        __fileq_add_completions -W 'none'$'\n''handover'$'\n''interactive'$'\n''aggregate'
        return
        ;;
    '--cert')
        __fileq_add_completions -f
        return
        ;;
    '--key')
        __fileq_add_completions -f
        return
        ;;
    '--key-password-file')
        __fileq_add_completions -f
        return
        ;;
    '-i'|'--input')
        __fileq_add_completions -f
        return
        ;;
    '--checksum')
        return
        ;;
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -f
        return
        ;;
    esac
}

_fileq_add_curl() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options -1
}

_fileq_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion list -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_info() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion info -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_watch() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion watch -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_wait() {
    repeating_flags=()
    non_repeating_flags=(--all --json --plain -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion wait -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_pause() {
    repeating_flags=()
    non_repeating_flags=(--all --json -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion pause -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_resume() {
    repeating_flags=()
    non_repeating_flags=(--all --now --json -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion resume -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_cancel() {
    repeating_flags=()
    non_repeating_flags=(--all --delete --json -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion cancel -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_retry() {
    repeating_flags=()
    non_repeating_flags=(--all --json -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion retry -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_move() {
    repeating_flags=()
    non_repeating_flags=(--json -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion move -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_set() {
    repeating_flags=()
    non_repeating_flags=(--all --json -v --verbose --version -h --help)
    repeating_options=(--after)
    non_repeating_options=(--priority --limit --at --download-limit --upload-limit -j --concurrent --per-host --timetable --on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--priority')
        __fileq_add_completions -W 'low'$'\n''normal'$'\n''high'
        return
        ;;
    '--limit')
        return
        ;;
    '--at')
        return
        ;;
    '--after')
        return
        ;;
    '--download-limit')
        return
        ;;
    '--upload-limit')
        return
        ;;
    '-j'|'--concurrent')
        return
        ;;
    '--per-host')
        return
        ;;
    '--timetable')
        return
        ;;
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion set -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_relocate() {
    repeating_flags=()
    non_repeating_flags=(--all --json -v --verbose --version -h --help)
    repeating_options=(-H --header -b --cookie)
    non_repeating_options=(--url -o --output -d --directory --if-exists --sid --sid-file --user --password-file --token-file --cert --key --key-password-file --on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--url')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '-o'|'--output')
        __fileq_add_completions -f
        return
        ;;
    '-d'|'--directory')
        __fileq_add_completions -d
        return
        ;;
    '--if-exists')
        __fileq_add_completions -W 'fail'$'\n''replace'$'\n''skip'$'\n''newer'$'\n''keep-both'
        return
        ;;
    '--sid')
        return
        ;;
    '--sid-file')
        __fileq_add_completions -f
        return
        ;;
    '--user')
        return
        ;;
    '--password-file')
        __fileq_add_completions -f
        return
        ;;
    '--token-file')
        __fileq_add_completions -f
        return
        ;;
    '--cert')
        __fileq_add_completions -f
        return
        ;;
    '--key')
        __fileq_add_completions -f
        return
        ;;
    '--key-password-file')
        __fileq_add_completions -f
        return
        ;;
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion relocate -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_undo() {
    repeating_flags=()
    non_repeating_flags=(--json -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac
}

_fileq_open() {
    repeating_flags=()
    non_repeating_flags=(--folder --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion open -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_copy() {
    repeating_flags=()
    non_repeating_flags=(--address --path --id --curl --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion copy -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_history() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(-n --number --on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-n'|'--number')
        return
        ;;
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion history -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_clear() {
    repeating_flags=()
    non_repeating_flags=(--all --keep-history --json -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--on)
    __fileq_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--on')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion clear -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_logs() {
    repeating_flags=()
    non_repeating_flags=(-f --follow --version -h --help)
    repeating_options=()
    non_repeating_options=(-n --number)
    __fileq_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '-n'|'--number')
        return
        ;;
    esac
}

_fileq_places() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|show|remove)
        # Offer subcommand argument completions
        "_fileq_places_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list show remove' -- "${cur}"))
        ;;
    esac
}

_fileq_places_add() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options -1
}

_fileq_places_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_places_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion places show -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_places_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fileq_add_completions -W "$(__fileq_custom_complete ---completion places remove -- positional@0 "${COMP_CWORD}" "$(__fileq_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fileq_trust() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|remove)
        # Offer subcommand argument completions
        "_fileq_trust_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add remove' -- "${cur}"))
        ;;
    esac
}

_fileq_trust_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_trust_add() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 2
}

_fileq_trust_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options -1
}

_fileq_serve() {
    repeating_flags=()
    non_repeating_flags=(--no-sync --allow-delete --hidden -v --verbose --version -h --help)
    repeating_options=(--name)
    non_repeating_options=(--host --port --tls-cert --tls-key --token-file --max-upload --upload-quota --upload-lifetime --idle-timeout --rate --log)
    __fileq_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--host')
        return
        ;;
    '--port')
        return
        ;;
    '--name')
        return
        ;;
    '--tls-cert')
        __fileq_add_completions -f
        return
        ;;
    '--tls-key')
        __fileq_add_completions -f
        return
        ;;
    '--token-file')
        __fileq_add_completions -f
        return
        ;;
    '--max-upload')
        return
        ;;
    '--upload-quota')
        return
        ;;
    '--upload-lifetime')
        return
        ;;
    '--idle-timeout')
        return
        ;;
    '--rate')
        return
        ;;
    '--log')
        __fileq_add_completions -W 'common'$'\n''json'$'\n''none'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fileq_add_completions -d
        return
        ;;
    esac
}

_fileq_demo() {
    repeating_flags=()
    non_repeating_flags=(--plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--rate)
    __fileq_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--rate')
        return
        ;;
    esac
}

_fileq_interface() {
    repeating_flags=()
    non_repeating_flags=(--watch --no-mouse --linear --once --svg --version -h --help)
    repeating_options=()
    non_repeating_options=(--theme --list-columns --group --pane --view --sort --on --columns --rows)
    __fileq_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--theme')
        __fileq_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''high-contrast'$'\n''monochrome'$'\n''gruvbox'$'\n''nord'
        return
        ;;
    '--list-columns')
        return
        ;;
    '--group')
        __fileq_add_completions -W 'none'$'\n''server'$'\n''folder'$'\n''place'$'\n''batch'
        return
        ;;
    '--pane')
        __fileq_add_completions -W 'auto'$'\n''right'$'\n''bottom'
        return
        ;;
    '--view')
        return
        ;;
    '--sort')
        return
        ;;
    '--on')
        return
        ;;
    '--columns')
        return
        ;;
    '--rows')
        return
        ;;
    esac
}

_fileq_keys() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_service() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|status|stop|install)
        # Offer subcommand argument completions
        "_fileq_service_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run status stop install' -- "${cur}"))
        ;;
    esac
}

_fileq_service_run() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--idle-timeout -j --concurrent)
    __fileq_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--idle-timeout')
        return
        ;;
    '-j'|'--concurrent')
        return
        ;;
    esac
}

_fileq_service_status() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_service_stop() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_service_install() {
    repeating_flags=()
    non_repeating_flags=(--print --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_rpc() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    enable|disable|status)
        # Offer subcommand argument completions
        "_fileq_rpc_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'enable disable status' -- "${cur}"))
        ;;
    esac
}

_fileq_rpc_enable() {
    repeating_flags=()
    non_repeating_flags=(--new-secret --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_rpc_disable() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_rpc_status() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_control() {
    repeating_flags=()
    non_repeating_flags=(--stdio --no-start --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options 0
}

_fileq_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __fileq_offer_flags_options -1
}

complete -o filenames -F _fileq fileq
