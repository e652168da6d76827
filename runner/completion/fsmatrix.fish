# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion for fsmatrix: asks the program.

function __fsmatrix_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] completion --words -- $words[2..-1] "$word" 2>/dev/null)
        switch $line
            case ':files*'
                set -l suffix (string replace -r '^:files ?' '' -- $line)
                set -l prefix (string match -r -- '^--[^=]*=' $word)
                set -l path (string replace -r -- '^--[^=]*=' '' $word)
                for file in (__fish_complete_path "$path" | string replace -r '\t.*' '')
                    if string match -q -- "*/" $file
                        or string match -q -- "*$suffix" $file
                        echo -- "$prefix$file"
                    end
                end
            case '*'
                echo -- $line
        end
    end
end

complete -c fsmatrix -f -a '(__fsmatrix_complete)'
