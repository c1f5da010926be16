#!/usr/bin/env bash
# Builds all fuzz targets into $OUT: the program, TARGET_seed_corpus.zip, TARGET.dict and TARGET.options. The containers of
# ClusterFuzzLite and OSS-Fuzz run it, and so does .ci/fuzz.
set -euo pipefail

OUT=$(realpath -m "${OUT:-$(dirname "$0")/../target/fuzzers}")
mkdir -p "$OUT"

# In the containers this file is a copy next to the repository.
here=$(dirname "$0")
if [ -d "$here/urlstrata" ]; then cd "$here/urlstrata"; else cd "$here/.."; fi

# The containers have one compiler, a nightly one, and set this variable.
nightly=${RUSTUP_TOOLCHAIN:-nightly}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
exported=$(mktemp -d)
trap 'rm -rf "$exported"' EXIT

# .ci/fuzz sets it to none, which takes two thirds of the time.
sanitizer=address
if [ "${SANITIZER:-}" = none ]; then sanitizer=none; fi

# .ci/fuzz sets the level of optimization and a linter.
flags=(RUSTUP_TOOLCHAIN="$nightly" CARGO_PROFILE_RELEASE_OPT_LEVEL="${OPTIMIZATION:-3}")
if [ -n "${LINTER:-}" ]; then flags+=(RUSTC_WORKSPACE_WRAPPER="$LINTER" CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__); fi

# -O: fuzz/Cargo.toml decides about debug assertions. In some engines they fail on input that the shipped engine accepts.
env "${flags[@]}" cargo fuzz build -O --codegen-units 16 --sanitizer "$sanitizer"

# The flags of the containers are for the targets. They are empty and not unset because the cargo there is a script that reads them.
# With these packages, dependencies have the same features as in other builds of the repository, which are reused.
RUSTFLAGS='' cargo build --quiet --release --workspace --exclude urlstrata-benches --bin campaign
"$CARGO_TARGET_DIR/release/campaign" export --out "$exported"

# Packs the files of a folder so that the same files result in the same archive.
pack() {
    find "$1" -type f -exec chmod 644 {} + -exec touch -d 1980-01-01T00:00:00Z {} +
    rm -f "$2"
    if command -v zip >/dev/null; then
        (cd "$1" && find . -type f -printf '%P\n' | LC_ALL=C sort | TZ=UTC zip -q -X -@ "$2")
    else
        (cd "$1" && TZ=UTC python3 -m zipfile -c "$2" .)
    fi
}

for dictionary in "$exported"/*.dict; do
    target=$(basename "$dictionary" .dict)
    cp "$CARGO_TARGET_DIR/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
    cp "$dictionary" "$exported/$target.options" "$OUT/"
    pack "$exported/$target" "$OUT/${target}_seed_corpus.zip"
done

# The loop above skips a target that is missing in TARGETS.
for source in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    for product in "$target" "${target}_seed_corpus.zip" "$target.dict" "$target.options"; do
        [ -s "$OUT/$product" ] || { echo "$OUT/$product is missing: is $target in TARGETS?" >&2; exit 1; }
    done
done
