#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs fileq for one user, without root: the program, manual pages and completions.
#
#   install.sh [--to FOLDER] [--version VERSION] [--from ADDRESS]
#   install.sh --uninstall [--to FOLDER]
#
#   --to FOLDER         where bin and share are; default: ~/.local
#   --version VERSION   another release
#   --from ADDRESS      the folder with the files of the release: an address, or a folder of this machine
#   --uninstall         removes what an earlier run has installed; queue and configuration stay
#
# In an unpacked tarball it installs what is beside it and downloads nothing.
set -eu

version=@VERSION@
releases=@RELEASES@
folder=${HOME:-}/.local
from=
action=install

fail() { echo "install.sh: $*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
usage() { sed -n 's/^#   //p' "$0"; }

while [ $# -gt 0 ]; do
  case $1 in
  --to | --version | --from)
    [ $# -gt 1 ] || fail "$1 needs a value"
    case $1 in
    --to) folder=$2 ;;
    --version) version=${2#v} ;;
    --from) from=${2%/} ;;
    esac
    shift
    ;;
  --uninstall) action=uninstall ;;
  -h | --help) usage; exit 0 ;;
  *) fail "unknown argument '$1'; --help lists them" ;;
  esac
  shift
done
case $folder in
/*) ;;
*) folder=$PWD/$folder ;;
esac
list=$folder/share/doc/fileq/installed

if [ "$action" = uninstall ]; then
  [ -r "$list" ] || fail "there is no installation in $folder"
  while IFS= read -r path; do
    rm -f "$folder/$path"
    # Folders that are empty then, up to the one given.
    while path=${path%/*} && rmdir "$folder/$path" 2>/dev/null; do
      case $path in */*) ;; *) break ;; esac
    done
  done <"$list"
  echo "fileq is removed from $folder"
  exit 0
fi

# --- what to install --------------------------------------------------------------------------------------------------------------
[ "$(uname -s)" = Linux ] || fail "fileq needs Linux"
case $(uname -m) in
x86_64 | amd64) machine=x86_64 ;;
aarch64 | arm64) machine=aarch64 ;;
*) fail "there is no package for $(uname -m); build fileq from its sources" ;;
esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

# fetch FILE: into the scratch folder.
fetch() {
  case $from in
  http://* | https://*)
    if has curl; then
      curl -fsSL -o "$scratch/$1" "$from/$1"
    elif has wget; then
      wget -q -O "$scratch/$1" "$from/$1"
    else
      fail "curl or wget is missing"
    fi || fail "$from/$1 cannot be downloaded"
    ;;
  *) cp "$from/$1" "$scratch/$1" || fail "there is no $1 in $from" ;;
  esac
}

beside=$(cd "$(dirname "$0")" && pwd)
if [ -z "$from" ] && [ -x "$beside/bin/fileq" ]; then
  tree=$beside
else
  [ -n "$from" ] || from=$releases/v$version
  name=fileq-$version-linux-$machine
  for tool in tar zstd sha256sum; do has "$tool" || fail "$tool is missing"; done
  fetch SHA256SUMS
  grep " [ *]*$name.tar.zst\$" "$scratch/SHA256SUMS" >"$scratch/expected" || fail "SHA256SUMS of $from does not name $name.tar.zst"
  fetch "$name.tar.zst"
  (cd "$scratch" && sha256sum -c expected >/dev/null 2>&1) || fail "$name.tar.zst has another checksum than SHA256SUMS says: nothing is installed"
  zstd -dcq "$scratch/$name.tar.zst" | tar -xf - -C "$scratch" || fail "$name.tar.zst cannot be unpacked"
  tree=$scratch/$name
fi

# --- whether it runs here ---------------------------------------------------------------------------------------------------------
# Its libraries are loaded late: --version alone loads libcurl, and the linker finds the others.
if ! said=$("$tree/bin/fileq" --version 2>&1); then
  library=$(printf '%s\n' "$said" | sed -n 's/.*: \(lib[^ :]*\.so[^ :]*\): cannot open.*/\1/p' | sed -n 1p)
  case $library,$said in
  libcurl*) fail "libcurl 7.88 or newer is missing: install libcurl4 (Debian, Ubuntu), libcurl (Fedora, openSUSE) or curl (Arch)" ;;
  libsqlite3*) fail "SQLite is missing: install libsqlite3-0 (Debian, Ubuntu), sqlite-libs (Fedora) or sqlite (Arch)" ;;
  libncurses* | libtinfo*) fail "ncurses is missing: install libncursesw6 (Debian, Ubuntu), ncurses-libs (Fedora) or ncurses (Arch)" ;;
  lib*) fail "$library is missing" ;;
  *GLIBC_*) fail "fileq needs glibc 2.36 or newer (Debian 12, Ubuntu 24.04, Fedora 37); this system has an older one" ;;
  *"not found"* | *"No such file"*) fail "fileq needs glibc, which this system does not have (Alpine and others have musl)" ;;
  *) fail "fileq does not run here: $said" ;;
  esac
fi

# --- install ----------------------------------------------------------------------------------------------------------------------
(cd "$tree" && find bin share -type f) >"$scratch/installed"
while IFS= read -r path; do
  mkdir -p "$folder/${path%/*}" || fail "$folder/${path%/*} cannot be created"
  # Beside it first: a running program cannot be overwritten, and half a file is never under the name.
  cp "$tree/$path" "$folder/$path.new" || fail "$folder/$path cannot be written"
  mv -f "$folder/$path.new" "$folder/$path"
done <"$scratch/installed"
echo share/doc/fileq/installed >>"$scratch/installed"
# What an earlier version had, and this one does not.
if [ -r "$list" ]; then
  while IFS= read -r path; do grep -qxF "$path" "$scratch/installed" || rm -f "$folder/$path"; done <"$list"
fi
cp "$scratch/installed" "$list"

echo "fileq $(printf '%s\n' "$said" | sed -n 1p) is in $folder/bin"
case :$PATH: in
*:"$folder/bin":*) ;;
*) echo "add $folder/bin to PATH: export PATH=\"$folder/bin:\$PATH\"" ;;
esac
