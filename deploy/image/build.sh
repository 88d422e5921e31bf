#!/bin/sh
# Installs and builds the checkout in $1.
set -eu
cd "$1"
npm ci --no-audit --no-fund
node tools/build.mjs
