// How many sockets a listener may have, altogether and from one address, so that nobody keeps everybody else out. An admitted
// charger no longer counts against its address: a depot has thousands behind one.
import type { Socket } from 'node:net';
import { createOutageReporter, type Clock, type Logger, type Timer } from '@busbar/core';
import type { ProxyTrust } from '../routing/https-only';
import { networkOf } from '../limits/network-of';
import { isOutOfDescriptors } from './descriptors';
import { connectionKey } from './open-sockets';

export interface SocketGuardOptions {
  /** The listener's, for the log. */
  readonly name: string;
  readonly maxSockets: number;
  /** 0: any number. */
  readonly maxPerAddress: number;
  /** Their own sockets are not counted; what they forward is, by the address that they name. */
  readonly isTrustedProxy: ProxyTrust;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: asks the operating system. */
  readonly isOutOfDescriptors?: () => Promise<boolean>;
}

export interface SocketGuard {
  /** Counts a new socket until it closes. False: there is no room for it, and it must be closed at once. */
  accept(socket: Socket): boolean;
  /** Counts an upgrade by the address that a trusted proxy named. False: that address has too many. */
  acceptForwarded(socket: Socket, address: string): boolean;
  /** The socket became an admitted charger's. */
  admitted(socket: Socket): void;
  /** Open sockets, admitted chargers' included. */
  open(): number;
  start(): void;
  stop(): void;
}

const LOOK_MS = 1_000;
/** After so long without a refused socket the outage is over. */
const QUIET_MS = 10_000;

export function createSocketGuard(options: SocketGuardOptions): SocketGuard {
  const { name, maxSockets, isTrustedProxy, clock } = options;
  const outage = createOutage(options);
  const networks = createNetworkCounts(options.maxPerAddress);
  let open = 0;
  let timer: Timer | undefined;

  function isFull(): boolean {
    if (open < maxSockets) return false;
    outage.met('full', `all ${String(maxSockets)} sockets that this listener may have are open`, { listener: name });
    return true;
  }

  function fitsAddress(socket: Socket, address: string): boolean {
    if (networks.add(networkOf(address), socket)) return true;
    const reason = `an address has ${String(options.maxPerAddress)} sockets that are not those of admitted chargers`;
    outage.met('address', reason, { listener: name, address });
    return false;
  }

  return {
    accept(socket) {
      const { remoteAddress } = socket;
      // The peer is gone already.
      if (remoteAddress === undefined) return false;
      if (isFull()) return false;
      if (!isTrustedProxy(remoteAddress) && !fitsAddress(socket, remoteAddress)) return false;
      open += 1;
      socket.once('close', () => (open -= 1));
      return true;
    },
    acceptForwarded: fitsAddress,
    admitted: networks.remove,
    open: () => open,
    start() {
      timer ??= clock.every(LOOK_MS, () => {
        isFull();
        outage.look();
      });
    },
    stop() {
      timer?.cancel();
      timer = undefined;
    },
  };
}

interface NetworkCounts {
  /** Until the socket closes or is removed. False: the network has as many as it may. */
  add(network: string, socket: Socket): boolean;
  /** Also by the TLS socket on top of the one that was added. */
  remove(socket: Socket): void;
}

/** Bounded by the number of sockets. */
function createNetworkCounts(most: number): NetworkCounts {
  const counts = new Map<string, number>();
  /** By connection, since a TLS socket and the one beneath it are one. */
  const releases = new Map<string, () => void>();

  const count = (network: string, by: 1 | -1): void => {
    const sum = (counts.get(network) ?? 0) + by;
    if (sum > 0) counts.set(network, sum);
    else counts.delete(network);
  };

  return {
    add(network, socket) {
      if (most === 0) return true;
      if ((counts.get(network) ?? 0) >= most) return false;
      const key = connectionKey(socket);
      let isCounted = true;
      const release = (): void => {
        if (isCounted) count(network, -1);
        isCounted = false;
        // The peer may have opened its next connection from the same port already.
        if (releases.get(key) === release) releases.delete(key);
      };
      count(network, 1);
      releases.set(key, release);
      socket.once('close', release);
      return true;
    },
    remove: (socket) => releases.get(connectionKey(socket))?.(),
  };
}

interface Outage {
  met(cause: string, reason: string, fields: Readonly<Record<string, unknown>>): void;
  look(): void;
}

function createOutage({ name, clock, logger, ...options }: SocketGuardOptions): Outage {
  const probe = options.isOutOfDescriptors ?? isOutOfDescriptors;
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'new connections are closed at once: there is no room for their sockets',
    ended: 'there is room for new connections again',
  });
  const lastMetMs = new Map<string, number>();
  let isProbing = false;

  function met(cause: string, reason: string, fields: Readonly<Record<string, unknown>>): void {
    lastMetMs.set(cause, clock.monotonicMs());
    outages.report(cause, reason, fields);
  }

  async function probeDescriptors(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    const isOut = await probe();
    isProbing = false;
    if (isOut) met('descriptors', 'the process has no file descriptor left: raise its limit', { listener: name });
  }

  return {
    met,
    look() {
      for (const [cause, atMs] of lastMetMs) {
        if (clock.monotonicMs() - atMs < QUIET_MS) continue;
        lastMetMs.delete(cause);
        outages.clear(cause);
      }
      void probeDescriptors();
    },
  };
}
