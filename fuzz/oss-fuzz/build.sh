#!/usr/bin/env bash
# The same build as for ClusterFuzzLite.
exec "$SRC/urlstrata/.clusterfuzzlite/build.sh"
