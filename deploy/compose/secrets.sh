#!/bin/sh
# Generates the secrets of docker-compose.yml: sh deploy/compose/secrets.sh [DIRECTORY] (default: ./secrets). Only its owner may
# read them. What is there already stays, so it may be run again. Prints no secret.
set -eu
umask 077
directory=${1:-secrets}
mkdir -p "$directory"
chmod 700 "$directory"

random() {
  od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'
}

# write NAME CONTENT: whole or not at all, and never over what is there.
write() {
  if [ -e "$directory/$1" ]; then
    chmod 600 "$directory/$1"
    echo "kept       $directory/$1"
    return
  fi
  printf '%s\n' "$2" > "$directory/$1.unfinished"
  mv "$directory/$1.unfinished" "$directory/$1"
  echo "generated  $directory/$1"
}

read_secret() {
  cat "$directory/$1"
}

write bootstrap-api-key "bb_$(random 24)"
# SECRETS_KEY: 32 bytes in base64.
write secrets-key "$(head -c 32 /dev/urandom | base64)"
write rabbitmq-password "$(random 24)"
write mongo-root-password "$(random 24)"
write mongo-password "$(random 24)"
write mongo-keyfile "$(random 378)"
# Hexadecimal digits need no escape in a URL or a configuration file.
write rabbitmq.conf "default_user = busbar
default_pass = $(read_secret rabbitmq-password)
default_vhost = busbar
default_user_tags.administrator = false"
write broker-url "amqp://busbar:$(read_secret rabbitmq-password)@rabbitmq:5672/busbar"
write store-url "mongodb://busbar:$(read_secret mongo-password)@mongo:27017/busbar?replicaSet=rs0"
