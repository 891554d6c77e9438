#!/usr/bin/env bash
# Tries a clean clone of HEAD in a bare Debian, as a new user would, and times it. Needs root and debootstrap.
#
#   tools/try_in_chroot.sh [--as-user] [--keep] DIR [COMMAND...]
#
# DIR (outside the repository) keeps the bare system for the next time. COMMAND defaults to ./test, then ./run; it runs in
# the clone, whose path has a space in it. --as-user runs it as a user who has sudo. --keep leaves the trial system behind.
# Packages come from wherever this machine gets its own: its apt configuration and certificates are copied.
set -eu -o pipefail

preset=release user=root keep=no
while [ $# -gt 0 ]; do
    case $1 in
        --as-user) user=newcomer ;;
        --keep) keep=yes ;;
        -*) echo "unknown option $1; expected --as-user or --keep" >&2; exit 2 ;;
        *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || { echo "usage: tools/try_in_chroot.sh [--as-user] [--keep] DIR [COMMAND...]" >&2; exit 2; }
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
[ "$(id -u)" -eq 0 ] || { echo "a chroot needs root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "needs the package debootstrap" >&2; exit 2; }

# Mounts below live in a namespace of their own and vanish with this process.
if [ "${LIMBER_TRIAL_NAMESPACE:-}" != yes ]; then
    [ $# -gt 0 ] || set -- bash -c './test && ./run'
    flags=()
    [ $user = root ] || flags+=(--as-user)
    [ $keep = no ] || flags+=(--keep)
    LIMBER_TRIAL_NAMESPACE=yes exec unshare --mount --pid --fork --kill-child -- "$0" "${flags[@]}" "$dir" "$@"
fi

mirror() {
    { sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/*.sources
      sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list
    } 2>/dev/null | grep -m 1 .
}

if [ ! -e "$dir/base/bin/bash" ]; then
    echo "making a bare Debian in $dir/base"
    debootstrap --variant=minbase bookworm "$dir/base" "$(mirror)" >"$dir/debootstrap.log" 2>&1 || { tail "$dir/debootstrap.log"; exit 1; }
fi

trial=$(mktemp -d "$dir/trial-XXXXXX")   # not $$: in a PID namespace of its own that is always 1
cp -a "$dir/base/." "$trial"
chmod 755 "$trial"
cleanup() {
    umount -R "$trial/proc" "$trial/dev" 2>/dev/null || true
    [ $keep = yes ] || rm -rf --one-file-system "$trial"
}
trap cleanup EXIT
rm -rf "$trial"/etc/apt/sources.list*
for part in sources.list sources.list.d apt.conf.d keyrings trusted.gpg.d trusted.gpg; do
    [ ! -e "/etc/apt/$part" ] || cp -a "/etc/apt/$part" "$trial/etc/apt/"
done
cp -L /etc/resolv.conf /etc/hosts "$trial/etc/" 2>/dev/null || true
for part in etc/ssl usr/share/ca-certificates usr/local/share/ca-certificates; do
    [ ! -d "/$part" ] || { mkdir -p "$trial/$part"; cp -a "/$part/." "$trial/$part/"; }
done
mount -t proc proc "$trial/proc"
mount --rbind /dev "$trial/dev"
mount --make-rslave "$trial/dev"

inside() { chroot "$trial" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "${proxies[@]}" "$@"; }
mapfile -t proxies < <(env | grep -iE '^(https?|no|ftp)_proxy=' || true)
home=/root
if [ $user != root ]; then
    home=/home/$user
    inside DEBIAN_FRONTEND=noninteractive bash -c "apt-get -q update &&
        apt-get -q install -y --no-install-recommends sudo && useradd -m -s /bin/bash $user &&
        echo '$user ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/$user" >"$dir/user.log" 2>&1 || { tail "$dir/user.log"; exit 1; }
fi
clone="$trial$home/a clean clone"
git clone -q "$root" "$clone"
[ $user = root ] || inside chown -R "$user:$user" "$home"
echo "commit $(git -C "$root" rev-parse --short HEAD), preset $preset, as $user: $*"
started=$(date +%s)
status=0
inside su "$user" -c 'cd "$HOME/a clean clone" && export PRESET="$0" CI=true && time "$@"' -- "$preset" "$@" </dev/null || status=$?
echo "exit code $status after $(($(date +%s) - started)) s"
exit $status
