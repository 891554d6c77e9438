# shellcheck shell=bash disable=SC2154
# Shared by ./run and ./test (sourced): installs package groups, configures and builds one preset.
# Expects `root`, the repository's folder. Exit code 2 means that something must be installed by hand.

preset=${LIMBER_PRESET:-${PRESET:-release}}
case $preset in
    release | dev | tidy | clang | cholmod) ;;
    *) echo "limber: PRESET is '$preset'; expected release, dev, tidy, clang or cholmod" >&2; exit 2 ;;
esac
build=$root/build/$preset

# The packages of the named groups, one per line.
packages_of() {
    awk -v wanted=" $* " '
        { sub(/#.*/, ""); gsub(/[ \t\r]+/, "") }
        /^\[.*\]$/ { group = substr($0, 2, length($0) - 2); next }
        $0 != "" && index(wanted, " " group " ") { print }' "$root/packages.txt"
}

# One query for all packages: this runs at every start and must not be felt.
missing_of() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p')
    printf '%s\n' "$@" | grep -Fvx -f <(printf '%s\n' "$installed" none) || true
}

install_groups() {
    local packages missing=() as_root=()
    mapfile -t packages < <(packages_of "$@")
    if command -v dpkg-query >/dev/null; then
        mapfile -t missing < <(missing_of "${packages[@]}")
        [ ${#missing[@]} -eq 0 ] && return
    fi
    if ! command -v apt-get >/dev/null; then
        # Another system: the names differ, so whether something is missing shows only when configuring.
        command -v cmake >/dev/null && command -v ninja >/dev/null && { by_hand=${packages[*]}; return; }
        stop_for "${packages[@]}"
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || stop_for "${missing[@]}"
        as_root=(sudo)
        [ -t 0 ] || as_root+=(-n)
    fi
    echo "limber: installing ${missing[*]}" >&2
    apt_get update && apt_get install -y --no-install-recommends "${missing[@]}" || stop_for "${missing[@]}"
}

# Quiet unless it fails. `env` because sudo drops the environment.
apt_get() {
    local log
    log=$(mktemp)
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@" >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

stop_for() {
    echo "limber: cannot install packages here. Please install these (Debian's names), then try again:" >&2
    echo "    $*" >&2
    exit 2
}

# The groups every build of this preset needs.
base_groups() {
    case $preset in
        cholmod) echo core render openblas cholmod ;;
        tidy) echo core render openblas tidy ;;
        clang) echo core render openblas clang ;;
        *) echo core render openblas ;;
    esac
}

cache_value() {
    sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null
}

# configure OPTION=VALUE...: does nothing when the build folder already says so (ninja re-runs CMake by itself
# when a CMake file changes). A build folder copied from elsewhere is configured afresh.
configure() {
    local option flags=() fresh=() stale=no unity=${LIMBER_UNITY:-}
    [ -f "$build/build.ninja" ] || stale=yes
    if [ -f "$build/CMakeCache.txt" ] && [ "$(cache_value CMAKE_HOME_DIRECTORY)" != "$root" ]; then
        fresh=(--fresh)
        stale=yes
    fi
    # A first build compiles everything, so it takes several sources at once (cmake/Unity.cmake). Later the folder's own choice stays.
    [ $stale = yes ] && unity=${unity:-ON}
    for option in "$@" ${unity:+"LIMBER_UNITY=$unity"}; do
        [ "$(cache_value "${option%%=*}")" = "${option#*=}" ] || stale=yes
        flags+=("-D$option")
    done
    [ $stale = no ] && return
    mkdir -p "$build"
    echo "limber: configuring ($preset)" >&2
    if ! (cd "$root" && cmake --preset "$preset" "${fresh[@]}" "${flags[@]}") >"$build/configure.log" 2>&1; then
        tail -n 30 "$build/configure.log" >&2
        [ -n "${by_hand:-}" ] && stop_for "$by_hand"
        echo "limber: configuring failed; all of it is in $build/configure.log" >&2
        exit 1
    fi
}

# As many compilers at once as there are cores, but one per 1.5 GB of memory: swapping is slower than waiting.
jobs() {
    local cores memory
    cores=$(nproc 2>/dev/null || echo 2)
    memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null || echo "$cores")
    [ "${memory:-1}" -lt 1 ] && memory=1
    echo $((cores < memory ? cores : memory))
}

# One moving line on a terminal, ten lines elsewhere; the compiler's words only on failure, all of them in the log.
build_targets() {
    local log=$build/build.log terminal=0 status
    [ -t 2 ] && terminal=1
    NINJA_STATUS='limber: building %f/%t ' ninja -C "$build" -j "$(jobs)" "$@" 2>&1 | tee "$log" | awk -v terminal=$terminal '
        /^limber: building [0-9]/ && !/ Re-(checking|running)/ {
            split($3, part, "/"); tenth = int(10 * part[1] / part[2])
            if (terminal) { printf "\r%s %s %s ", $1, $2, $3; fflush() }
            else if (tenth > shown) { print $1, $2, $3; fflush() }
            shown = terminal ? 1 : tenth
        }
        END { if (terminal && shown) printf "\r%40s\r", "" }' >&2
    status=${PIPESTATUS[0]}
    [ "$status" -eq 0 ] && return
    grep -A 25 -m 3 -E '^FAILED|error:|^ninja: error' "$log" >&2
    echo "limber: the build failed; all of it is in $log" >&2
    exit 1
}

# The ten slowest tests that ran, from what ctest --output-junit wrote; nothing when none ran.
slowest_tests() {
    [ -f "$1" ] || return 0
    sed -nE 's/.*<testcase name="([^"]*)".* time="([^"]*)" status="(run|fail)".*/\2 \1/p' "$1" | LC_ALL=C sort -gr | LC_ALL=C awk '
        NR == 1 { print "limber: the slowest tests" }
        NR <= 10 { seconds = $1; sub(/^[^ ]* /, ""); printf "%10.2f s  %s\n", seconds, $0 }'
}
