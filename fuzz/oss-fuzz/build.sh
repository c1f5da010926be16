#!/usr/bin/env bash
# What ClusterFuzzLite does, of the same repository.
exec "$SRC/urlstrata/.clusterfuzzlite/build.sh"
