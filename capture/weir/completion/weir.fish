# SPDX-License-Identifier: MIT
# fish completion of weir, which says itself what may stand next (capture/weir/common/complete.c).
function __weir_complete
    set -l word (commandline -ct)
    set -l before (string match -r -- '^--[^=]*=' $word)
    set -l words (commandline -opc) "$word"
    for line in (command $words[1] --complete $words[2..-1] 2>/dev/null)
        set -l endings (string match -r -- '^files (.*)' $line)[2]
        if test -z "$endings"
            echo "$before$line"
            continue
        end
        # An unknown command completes to files.
        for file in (complete -C "__weir_no_command "(string replace -r -- '^--[^=]*=' '' "$word"))
            set -l name (string split -- \t $file)[1]
            if test "$endings" = '*'; or string match -q -- '*/' $name
                echo "$before$name"
            else if contains -- (string split -- . $name)[-1] (string split -- ' ' $endings)
                echo "$before$name"
            end
        end
    end
end
complete -c weir -f -a '(__weir_complete)'
