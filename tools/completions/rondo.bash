# Completes the command rondo in bash. Commands, options and values are those that --help prints.

# The first word of each line of a section of `rondo --help`.
_rondo_commands() {
    "$1" --help 2>/dev/null | sed -n '/^SUBCOMMANDS:/I,$ s/^  \([a-z][a-z_]*\) .*/\1/p'
}

# _rondo_options PROGRAM COMMAND: one a line. Descriptions lie further right.
_rondo_options() {
    "$1" "$2" --help 2>/dev/null | sed -n 's/^  \(-[-A-Za-z_,]*\).*/\1/p' | tr ',' '\n'
}

# _rondo_values PROGRAM COMMAND OPTION: those that --help has in braces, or the devices.
_rondo_values() {
    local name=${3#-}
    name=${name#-}
    case $name in
        d | device | target_device | ref) printf '%s\n' CPU REFERENCE AUTO ;;
        *)
            "$1" "$2" --help 2>/dev/null |
                sed -n "s/^  \([^ ]*,\)\{0,1\}--\{0,1\}$name[, ][^{]*{\([^}]*\)}.*/\2/p" |
                tr ',' '\n'
            ;;
    esac
}

# _rondo_value CURRENT OPTION: the value of an option, or nothing, for which bash offers files.
_rondo_value() {
    local values
    values=$(_rondo_values "${COMP_WORDS[0]}" "${COMP_WORDS[1]}" "$2")
    if [ -n "$values" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$1")
    fi
}

_rondo() {
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    # Bash takes --weights=f apart into three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = && $COMP_CWORD -gt 2 ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_rondo_commands "$program") help --help --version" \
            -- "$current")
    elif [[ $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_rondo_commands "$program")" -- "$current")
    elif [[ $current == --* || $current == - ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_rondo_options "$program" "$command")" \
            -- "$current")
    elif [[ $current == -* ]]; then  # -niter is as good as --niter
        mapfile -t COMPREPLY < <(compgen -W \
            "$(_rondo_options "$program" "$command" | sed 's/^--/-/')" -- "$current")
    elif [[ $previous == -* ]]; then
        _rondo_value "$current" "$previous"
    fi  # else: files
}

complete -o bashdefault -o default -F _rondo rondo
