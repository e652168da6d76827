#compdef fsmatrix
# SPDX-License-Identifier: GPL-2.0-or-later
# zsh completion for fsmatrix: asks the program.

_fsmatrix() {
    local -a open closed
    local line word files=

    # The word up to the cursor; (Q) takes its quotes away.
    for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" completion --words -- \
        "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)}"; do
        word=${line%%$'\t'*}
        case $line in
        '') ;;
        ':files .'*) files="*${line#:files }(-.)" ;;
        :files*) files='*' ;;
        *=) open+=("${word//:/\\:}") ;;
        *$'\t'*) closed+=("${word//:/\\:}:${line#*$'\t'}") ;;
        *) closed+=("${word//:/\\:}") ;;
        esac
    done
    if [[ -n $files ]]; then
        compset -P '--*='
        _files -g "$files"
        return
    fi
    (( $#open )) && _describe -t words fsmatrix open -S ''
    (( $#closed )) && _describe -t words fsmatrix closed
}

if [[ ${funcstack[1]} == _fsmatrix ]]; then
    _fsmatrix "$@"
else
    compdef _fsmatrix fsmatrix
fi
