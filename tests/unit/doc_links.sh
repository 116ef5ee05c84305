#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every link of the documents leads to a file of the repository, and every test script that they name is there.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0 num_links=0
while IFS= read -r document; do
    while IFS= read -r target; do
        num_links=$((num_links + 1))
        [ -e "$(dirname "$document")/${target%%#*}" ] || { echo "$document: no file $target"; status=1; }
    done < <(grep -oE '\]\([^)# ]+(#[^)]*)?\)' "$document" | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+://' || true)
    while IFS= read -r named; do
        num_links=$((num_links + 1))
        [ -e "$named" ] || { echo "$document: names $named, which is not there"; status=1; }
    done < <(grep -oE '`(src|shaders|capture|samples|tests|docs)/[A-Za-z0-9_./-]+`' "$document" | tr -d '`' || true)
done < <(find . -maxdepth 1 -name '*.md'; find docs -name '*.md')
[ $num_links -gt 0 ] || { echo "no link was found"; exit 1; }
echo "$num_links links"
exit $status
