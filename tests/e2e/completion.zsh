# SPDX-License-Identifier: MIT
# completion.zsh FOLDER LINE: prints what zsh completes the line to, with the completions of a folder, after what stood
# there: a word a line.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; fpath=(${(q)1} \$fpath); autoload -U compinit; compinit -D -u"
zpty -w shell "zle -C every complete-word _generic; bindkey '^Xa' every"
zpty -w shell "zstyle ':completion:every::::' completer _all_matches _complete"
zpty -w shell "zstyle ':completion:every:*' insert true"
# The marks are put together, since the terminal echoes this line.
zpty -w shell 'weir() { print -r -- "BEG""IN|${(j:|:)@}|E""ND"; }'
zpty -w -n shell "$2"$'\C-xa\n'
zpty -r shell answer '*BEGIN*END*'
answer=${${answer##*BEGIN\|}%%\|END*}
print -rl -- ${(s:|:)answer}
zpty -d shell
