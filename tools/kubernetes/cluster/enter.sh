#!/bin/bash
# The first process in the namespaces that namespaces.mjs makes: prepares them, then runs its arguments as their one program.
# Bash, as it reaps the processes that others leave behind.
set -euo pipefail

# What is in no container gets its processors as a whole, as the containers do: a busy machine would otherwise decide the tests.
for group in /sys/fs/cgroup/"$CONTROL_GROUP"/host /sys/fs/cgroup/*/"$CONTROL_GROUP"/host; do
  if [ -d "$group" ]; then echo 0 >"$group/cgroup.procs"; fi
done

# All files, also those that containers' tools write to places of their own choice: they end with the namespaces.
for place in "$DIRECTORY" /run /var/lib /var/log; do mount -t tmpfs -o mode=755 tmpfs "$place"; done
export TMPDIR=$DIRECTORY/tmp
mkdir -p "$TMPDIR" /run/lock /run/netns

# The kubelet and kube-proxy set these, of the whole machine: here they set files that stand in their place.
mkdir -p "$DIRECTORY/kernel"
for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  [ -e "/proc/sys/$setting" ] || continue
  copy=$DIRECTORY/kernel/${setting//\//.}
  cat "/proc/sys/$setting" >"$copy"
  mount --bind "$copy" "/proc/sys/$setting"
done

ip link set lo up
ip link add busbar0 type bridge
for address in $HOST_ADDRESSES; do ip address add "$address/24" dev busbar0; done
ip link set busbar0 up
echo 1 >/proc/sys/net/ipv4/ip_forward

"$@" &
program=$!
trap 'kill -TERM $program' TERM INT
code=0
wait $program || code=$?
exit $code
