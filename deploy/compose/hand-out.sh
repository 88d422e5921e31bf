#!/bin/sh
# Gives each service of docker-compose.yml a copy of the secrets that it needs, readable by its user alone: compose mounts a
# secret's file with the owner and mode that it has on the host, where its reader is unknown. Runs as root, once a start, with
# only the rights to read files and to change their owner. Usage: hand-out.sh SECRETS TARGET
set -eu
umask 077
secrets=$1
target=$2

# hand_out SERVICE USER SECRET...
hand_out() {
  service=$1
  user=$2
  shift 2
  for secret in "$@"; do
    copy="$target/$service/$secret"
    rm -f "$copy"
    cp "$secrets/$secret" "$copy"
    chmod 400 "$copy"
    chown "$user:$user" "$copy"
  done
  chmod 500 "$target/$service"
  chown "$user:$user" "$target/$service"
}

# 999: the users of the images of RabbitMQ and MongoDB. 1000: ours.
hand_out rabbitmq 999 rabbitmq.conf
hand_out mongo 999 mongo-keyfile mongo-root-password mongo-password
hand_out charger-state 1000 broker-url store-url
hand_out push 1000 broker-url store-url secrets-key
hand_out ocpp-gateway 1000 broker-url
hand_out apis 1000 broker-url store-url bootstrap-api-key secrets-key
# The certificate is made there, by our user.
chmod 700 "$target/certs"
chown 1000:1000 "$target/certs"
