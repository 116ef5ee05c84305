#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command of ./dev on a release of Debian, whatever release this machine has: in a root folder of that release,
# which starts as a fresh machine does and is kept for the next run. It is given the files that git does not ignore.
# run.sh FOLDER RELEASE [COMMAND OF ./dev...]: the root folder is FOLDER/RELEASE.
set -euo pipefail
cd "$(dirname "$0")/../.."

declare -A codenames=([12]=bookworm [13]=trixie)

say() { printf 'debian: %s\n' "$*"; }
fail() { printf 'debian: %s\n' "$*" >&2; exit 1; }

# Where this machine's apt finds its own release it finds the others: "deb URI SUITE COMPONENT" a line.
sources() {
    local codename=$1 own
    own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
        sed -n "s/ ${own:-?}\(-[a-z]*\)\? main\$/ $codename\1 main/p" | sort -u
}

# How this machine's apt reaches its mirror: proxies, and what it forgives a mirror of an earlier day.
reach() {
    apt-config dump | grep -E '^Acquire::(https?|ftp|Proxy|Check|Max-ValidTime|Retries|Force)[^ ]* ".+";$' || true
}

make_root() {
    local root=$1 codename=$2 lines
    command -v mmdebstrap >/dev/null || {
        say "installing mmdebstrap"
        apt-get -qq update </dev/null && apt-get -qq install -y --no-install-recommends mmdebstrap </dev/null ||
            fail "apt-get could not install mmdebstrap"
    }
    lines=$(sources "$codename")
    [ -n "$lines" ] || fail "apt knows no mirror of Debian: is this Debian, and did 'apt-get update' pass?"
    say "making $root"
    rm -rf "$root" "$root.new"
    reach >"$root.conf"
    # Debian 12's list of the keys of its archive has those of Debian 13.
    unshare --mount mmdebstrap --mode=root --variant=apt --aptopt="$root.conf" "$codename" "$root.new" - <<<"$lines" || {
        rm -rf "$root.new" "$root.conf"
        fail "mmdebstrap could not make it; its message is above"
    }
    rm "$root.conf"
    echo 'APT::Keep-Downloaded-Packages "false";' >"$root.new/etc/apt/apt.conf.d/99keep-nothing"
    mv "$root.new" "$root"
}

# The tree, with its times, so that what was built from it before is built again only where it changed.
copy_tree() {
    local root=$1 files=$1/weir.files
    mkdir -p "$root/weir"
    [ ! -f "$files" ] || (cd "$root/weir" && xargs -0 rm -f) <"$files"
    git -c safe.directory='*' ls-files -z --cached --others --exclude-standard --deduplicate >"$files.all" ||
        fail "these sources are no clone of git"
    while IFS= read -r -d '' file; do
        [ ! -e "$file" ] || printf '%s\0' "$file"
    done <"$files.all" >"$files"
    rm "$files.all"
    tar --create --null --files-from="$files" | tar --extract --directory="$root/weir"
}

# enter ROOT COMMAND...: in ROOT, as a machine of its own. Its mounts are seen by its processes only, and end with them.
# They do not inherit the lock, whose descriptor is none of theirs.
enter() {
    local root=$1 name variables=()
    shift
    for name in $(compgen -e | grep -i '_proxy$'); do variables+=("$name=${!name}"); done
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then # npm trusts these on this machine
        cp -L "$NODE_EXTRA_CA_CERTS" "$root/etc/npm-authorities.crt"
        variables+=(NODE_EXTRA_CA_CERTS=/etc/npm-authorities.crt)
    fi
    for name in WEIR_SEED WEIR_COMMIT SOURCE_DATE_EPOCH; do
        [ -z "${!name:-}" ] || variables+=("$name=${!name}")
    done
    if [ -n "${WEIR_RELEASE:-}" ]; then # the files of ./dev release
        rm -rf "$root/release"
        cp -r "$WEIR_RELEASE" "$root/release"
    fi
    unshare --mount bash -eu -c '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/dev/shm"
        mount -t tmpfs tmpfs "$root/tmp"
        exec chroot "$root" env -i -C /weir "$@"' \
        enter "$root" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        "${variables[@]}" "$@" 9>&-
}

release=${2:-} root=$(realpath -m "$1/${2:-}")
codename=${codenames[${release:-none}]:-}
[ -n "$codename" ] || fail "the release is 12 or 13, not '$release': ./dev debian 13"
[ "$(id -u)" = 0 ] || fail "only root can make a root folder and mount in it: use sudo"
unshare --mount true 2>/dev/null || fail "nobody may mount here: a container needs CAP_SYS_ADMIN"
mkdir -p "$1"
exec 9>"$root.lock"
flock --nonblock 9 || fail "another run uses $root"
[ -d "$root" ] || make_root "$root" "$codename"
copy_tree "$root"
[ $# -gt 2 ] || set -- "$@" test
enter "$root" ./dev "${@:3}"
