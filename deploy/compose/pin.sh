#!/bin/sh
# Pins the images of docker-compose.yml by digest: pulls each by its tag and writes NAME_IMAGE=TAG@DIGEST into .env, which
# compose reads. Run it again for newer ones, after you changed a tag. Usage: sh deploy/compose/pin.sh [FILE] (default: .env beside
# docker-compose.yml)
set -eu
root=$(dirname "$0")/../..
file=${1:-$root/.env}
compose=$root/docker-compose.yml

pins=''
for name in RABBITMQ_IMAGE MONGO_IMAGE NGINX_IMAGE NODE_IMAGE; do
  # Its default in the compose file: ${NAME:-repository:tag}
  tag=$(sed -n "s/.*\${$name:-\([^}]*\)}.*/\1/p" "$compose" | head -n 1)
  docker pull --quiet "$tag" > /dev/null
  # One for each repository that has the image: a mirror's counts for the mirror alone.
  digest=$(docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$tag" |
    grep -E "^([^@]*/)?${tag%:*}@sha256:[0-9a-f]{64}$" | head -n 1)
  if [ -z "$digest" ]; then
    echo "docker names no digest of $tag: pull it from its registry" >&2
    exit 1
  fi
  pins="$pins$name=$tag@${digest#*@}
"
done
touch "$file"
# The copy keeps the mode of a file that others may not read.
cp -p "$file" "$file.unfinished"
grep -v -E '^(RABBITMQ|MONGO|NGINX|NODE)_IMAGE=' "$file" > "$file.unfinished" || true
printf '%s' "$pins" >> "$file.unfinished"
mv "$file.unfinished" "$file"
printf '%s' "$pins"
