# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for fsmatrix: asks the program.

_fsmatrix() {
    local -a words=()
    local i part glue= line word prefix

    # bash cuts words at "=" and ":"; the program wants them whole.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        part=${COMP_WORDS[i]}
        if [[ ${#words[@]} -gt 0 && ( $glue || $part == [=:]* ) ]]; then
            words[-1]+=$part
        else
            words+=("$part")
        fi
        glue=
        [[ $part == *[=:] ]] && glue=1
    done
    [[ ${#words[@]} -gt 0 ]] || words=("")
    word=${words[-1]}
    prefix=${word%"${word##*[=:]}"}

    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        ":files"*)
            compopt -o filenames 2> /dev/null
            part=${line#:files} part=${part# }
            while IFS= read -r line; do
                [[ -d $line || $line == *"$part" ]] && COMPREPLY+=("$line")
            done < <(compgen -f -- "${word#"$prefix"}")
            ;;
        *)
            line=${line%%$'\t'*}
            [[ $line == *= ]] && compopt -o nospace 2> /dev/null
            line=${line#"$prefix"}
            [[ $line == *[!A-Za-z0-9_.,:/@%+=-]* ]] && printf -v line %q "$line"
            COMPREPLY+=("$line")
            ;;
        esac
    done < <("${COMP_WORDS[0]/#\~/$HOME}" completion --words -- \
        "${words[@]}" 2> /dev/null)
}

complete -F _fsmatrix fsmatrix
