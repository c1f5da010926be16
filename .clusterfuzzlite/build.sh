#!/usr/bin/env bash
# Builds every fuzz target into $OUT: the program, TARGET_seed_corpus.zip, TARGET.dict and TARGET.options. For ClusterFuzzLite and
# OSS-Fuzz, whose containers run it, and for .ci/run.
set -euo pipefail

OUT=$(realpath -m "${OUT:-$(dirname "$0")/../target/fuzzers}")
mkdir -p "$OUT"

# In the containers this is a copy, and the repository stands beside it.
here=$(dirname "$0")
if [ -d "$here/urlstrata" ]; then cd "$here/urlstrata"; else cd "$here/.."; fi

# The containers have one compiler, a nightly one, and say so here.
nightly=${RUSTUP_TOOLCHAIN:-nightly}
programs=${CARGO_TARGET_DIR:-$PWD/fuzz/target}
exported=$(mktemp -d)
trap 'rm -rf "$exported"' EXIT

# With -O without debug assertions: with them some engines panic where as they are shipped they answer.
RUSTUP_TOOLCHAIN=$nightly CARGO_TARGET_DIR=$programs cargo fuzz build -O --codegen-units 16

# The containers' flags are for what is fuzzed. Empty and not unset: their cargo is a script that reads them.
RUSTFLAGS='' cargo run --quiet --release -p urlstrata-harness -- fuzz export --out "$exported"

# Packs a folder's files so that the same files make the same archive.
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
    cp "$programs/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
    cp "$dictionary" "$exported/$target.options" "$OUT/"
    pack "$exported/$target" "$OUT/${target}_seed_corpus.zip"
done

# A target that the harness does not know has been passed over above.
for source in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    for product in "$target" "${target}_seed_corpus.zip" "$target.dict" "$target.options"; do
        [ -s "$OUT/$product" ] || { echo "$OUT/$product: it was not made: is $target in TARGETS?" >&2; exit 1; }
    done
done
