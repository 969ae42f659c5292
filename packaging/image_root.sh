#!/usr/bin/env bash
# Fills a folder with a root file system in which the command runs: the command, the library, the
# shared libraries that they load, and an empty /tmp; no shell, no package manager.
#
# Usage: packaging/image_root.sh BUILD FOLDER      (a build without RONDO_SANITIZE)
set -euo pipefail
build=$1
root=$2

mkdir -p "$root/tmp" "$root/models" "$root/etc"
chmod 1777 "$root/tmp"
DESTDIR=$root cmake --install "$build" --prefix /usr --component rondo --strip >/dev/null
rm -rf "$root/usr/share/bash-completion" "$root/usr/share/zsh"
printf 'rondo:x:1000:1000::/models:/usr/bin/rondo\n' >"$root/etc/passwd"

# Each at the path at which the loader looks for it, which the first one is itself.
ldd "$root/usr/bin/rondo" | grep -o '/[^ ]*' | sort -u | while read -r library; do
    case $library in "$root"/*) continue ;; esac
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
    owner=$(dpkg-query -S "$library" 2>/dev/null || dpkg-query -S "/usr$library")
    licence=/usr/share/doc/${owner%%:*}/copyright
    mkdir -p "$root$(dirname "$licence")"
    cp -L "$licence" "$root$licence"
done
du -sh "$root" | cut -f 1
