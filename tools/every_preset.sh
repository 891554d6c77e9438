#!/usr/bin/env bash
# ./test --presets: ./test ARGS under every preset, one after another. A preset that passed with the same ARGS on this commit, with
# nothing changed since, is skipped (build/PRESET/passed says so). Exit code 1 when one failed.
set -u -o pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# What a pass is a pass of: the commit and ARGS; nothing when there is no commit, or files differ from it.
state() {
    local commit
    commit=$(git -C "$root" rev-parse HEAD 2>/dev/null) || return 0
    [ -z "$(git -C "$root" status --porcelain)" ] && echo "$commit $arguments"
}

arguments='' table='' failed=0
[ $# -gt 0 ] && arguments=$(printf '%q ' "$@")    # -R 'a b' is not -R a b
why='files differ from the commit'
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || why='there is no commit here to note a pass of'
[ -n "$(state)" ] || echo "limber: $why: every preset is tested, and none is noted as passed"
for preset in release dev tidy clang cholmod; do
    stamp=$root/build/$preset/passed before=$(state) started=$SECONDS
    if [ -n "$before" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$before" ]; then
        echo "limber: $preset passed on this commit before: skipped"
        result='passed before'
    else
        echo "limber: testing $preset"
        rm -f "$stamp"
        LIMBER_PRESET=$preset "$root/test" "$@"
        code=$?
        if [ $code -eq 0 ]; then
            result=passed
            [ -n "$before" ] && [ "$(state)" = "$before" ] && mkdir -p "${stamp%/*}" && echo "$before" >"$stamp"
        else
            result="failed (exit code $code)" failed=1
        fi
    fi
    table+=$(printf '%-8s  %-24s %6d s' "$preset" "$result" $((SECONDS - started)))$'\n'
done
printf '\n%s' "$table"
exit $failed
