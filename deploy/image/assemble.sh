#!/bin/sh
# Lays out in $2 what runs of the built checkout in $1: packages, their dist, and production dependencies. Nothing else.
set -eu
source=$1
target=$2
mkdir -p "$target"
cd "$source"
cp package.json package-lock.json .npmrc LICENSE "$target/"
for package in apps/* libs/* services/* tools/*/ test-e2e; do
  [ -f "$package/package.json" ] || continue
  mkdir -p "$target/$package"
  cp "$package/package.json" "$target/$package/"
  case "$package" in
    libs/testing | test-e2e) continue ;;
  esac
  for part in dist assets; do
    if [ -d "$package/$part" ]; then cp -R "$package/$part" "$target/$package/"; fi
  done
done
mkdir -p "$target/deploy"
cp deploy/make-certificate.mjs deploy/healthcheck.mjs "$target/deploy/"
cd "$target"
npm ci --omit=dev --no-audit --no-fund
find . -path ./node_modules -prune -o -name '*.map' -type f -exec rm {} +
