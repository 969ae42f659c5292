# Completes the command rondo in bash. Commands, options and values are those that --help prints.

# The first word of each line of a section of `rondo --help`.
_rondo_commands() {
    "$1" --help 2>/dev/null | sed -n '/^SUBCOMMANDS:/I,$ s/^  \([a-z][a-z_]*\) .*/\1/p'
}

# _rondo_options PROGRAM COMMAND: one a line.
_rondo_options() {
    "$1" "$2" --help 2>/dev/null | sed -n 's/^  *\(-[-A-Za-z_,]*\).*/\1/p' | tr ',' '\n'
}

# _rondo_values PROGRAM COMMAND OPTION: those that --help has in braces.
_rondo_values() {
    "$1" "$2" --help 2>/dev/null |
        sed -n "s/^  *\(-[A-Za-z],\)\{0,1\}-\{0,1\}$3[, ][^{]*{\([^}]*\)}.*/\2/p" | tr ',' '\n'
}

_rondo() {
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]} values
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_rondo_commands "$program") --help --version" \
            -- "$current")
    elif [[ $current == --* || $current == - ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_rondo_options "$program" "$command")" \
            -- "$current")
    elif [[ $current == -* ]]; then  # -niter is as good as --niter
        mapfile -t COMPREPLY < <(compgen -W \
            "$(_rondo_options "$program" "$command" | sed 's/^--/-/')" -- "$current")
    elif [[ $previous == -* ]]; then
        values=$(_rondo_values "$program" "$command" "$previous")
        if [ -n "$values" ]; then
            mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
        fi
    fi  # else: files
}

complete -o bashdefault -o default -F _rondo rondo
