#!/bin/sh
# Pins the images of docker-compose.yml by digest: pulls each by its tag and writes NAME_IMAGE=TAG@DIGEST into .env, which
# compose reads. Run it again for newer ones, after you changed a tag. Usage: sh deploy/compose/pin.sh [FILE] (default: .env)
set -eu
file=${1:-.env}
compose=$(dirname "$0")/../../docker-compose.yml

pins=''
for name in RABBITMQ_IMAGE MONGO_IMAGE NGINX_IMAGE NODE_IMAGE; do
  # Its default in the compose file: ${NAME:-repository:tag}
  tag=$(sed -n "s/.*\${$name:-\([^}]*\)}.*/\1/p" "$compose" | head -n 1)
  docker pull --quiet "$tag" > /dev/null
  digest=$(docker image inspect --format '{{index .RepoDigests 0}}' "$tag")
  case $digest in
    *@sha256:*) ;;
    *) echo "docker names no digest of $tag" >&2 && exit 1 ;;
  esac
  pins="$pins$name=$tag@${digest#*@}
"
done
touch "$file"
grep -v -E '^(RABBITMQ|MONGO|NGINX|NODE)_IMAGE=' "$file" > "$file.unfinished" || true
printf '%s' "$pins" >> "$file.unfinished"
mv "$file.unfinished" "$file"
printf '%s' "$pins"
