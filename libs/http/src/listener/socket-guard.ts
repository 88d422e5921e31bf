// Limits the sockets of a listener, in total and of one address, so that no address excludes others. An admitted charger does not
// count for its address: a depot has thousands behind one address.
import type { Socket } from 'node:net';
import { createOutageReporter, createTicker, type Clock, type Logger } from '@busbar/core';
import type { ProxyTrust } from '../routing/policy/https-only';
import { networkOf } from '../limits/network-of';
import { isOutOfDescriptors } from './descriptors';
import { connectionKey } from './open-sockets';

export interface SocketGuardOptions {
  /** The listener's name, for the log. */
  readonly name: string;
  readonly maxSockets: number;
  /** 0: no limit. */
  readonly maxPerAddress: number;
  /** Their own sockets are not counted; upgrades that they forward are, by the forwarded address. */
  readonly isTrustedProxy: ProxyTrust;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: that of the operating system. */
  readonly isOutOfDescriptors?: () => Promise<boolean>;
}

export type SocketGuard = ReturnType<typeof createSocketGuard>;

const LOOK_MS = 1_000;
/** Without a rejected socket for so long the outage is over. */
const QUIET_MS = 10_000;

export function createSocketGuard(options: SocketGuardOptions) {
  const { name, maxSockets, isTrustedProxy, clock } = options;
  const outage = createOutage(options);
  const networks = createNetworkCounts(options.maxPerAddress);
  let open = 0;
  const ticker = createTicker(clock, LOOK_MS, () => {
    isFull();
    outage.check();
  });

  function isFull(): boolean {
    if (open < maxSockets) return false;
    outage.report('full', `all ${String(maxSockets)} sockets of this listener are open`, { listener: name });
    return true;
  }

  function fitsAddress(socket: Socket, address: string): boolean {
    if (networks.add(networkOf(address), socket)) return true;
    const reason = `an address has ${String(options.maxPerAddress)} sockets without an admitted charger`;
    outage.report('address', reason, { listener: name, address });
    return false;
  }

  return {
    /** Counts a new socket until it closes. False: a limit is reached, and the caller must close it. */
    accept(socket: Socket): boolean {
      const { remoteAddress } = socket;
      // The peer has disconnected already.
      if (remoteAddress === undefined) return false;
      if (isFull()) return false;
      if (!isTrustedProxy(remoteAddress) && !fitsAddress(socket, remoteAddress)) return false;
      open += 1;
      socket.once('close', () => (open -= 1));
      return true;
    },
    /** Counts an upgrade by its forwarded address. False: that address has too many. */
    acceptForwarded: fitsAddress,
    /** A charger was admitted on the socket. */
    admitted: networks.remove,
    /** Open sockets, with those of admitted chargers. */
    open: () => open,
    start: ticker.start,
    stop: ticker.stop,
  };
}

/** Bounded by the number of sockets. */
function createNetworkCounts(max: number) {
  const counts = new Map<string, number>();
  /** By connection, since a TLS socket and its underlying socket are one. */
  const releases = new Map<string, () => void>();

  const count = (network: string, by: 1 | -1): void => {
    const sum = (counts.get(network) ?? 0) + by;
    if (sum > 0) counts.set(network, sum);
    else counts.delete(network);
  };

  return {
    /** Counts until the socket closes or is removed. False: the network is at its limit. */
    add(network: string, socket: Socket): boolean {
      if (max === 0) return true;
      if ((counts.get(network) ?? 0) >= max) return false;
      const key = connectionKey(socket);
      let isCounted = true;
      const release = (): void => {
        if (isCounted) count(network, -1);
        isCounted = false;
        // The peer may have a new connection from the same port.
        if (releases.get(key) === release) releases.delete(key);
      };
      count(network, 1);
      releases.set(key, release);
      socket.once('close', release);
      return true;
    },
    /** Accepts the TLS socket of an added one. */
    remove: (socket: Socket) => releases.get(connectionKey(socket))?.(),
  };
}

function createOutage({ name, clock, logger, ...options }: SocketGuardOptions) {
  const probe = options.isOutOfDescriptors ?? isOutOfDescriptors;
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'closing new connections: no sockets left',
    ended: 'accepting new connections again',
  });
  const lastMetMs = new Map<string, number>();
  let isProbing = false;

  function report(cause: string, reason: string, fields: Readonly<Record<string, unknown>>): void {
    lastMetMs.set(cause, clock.monotonicMs());
    outages.report(cause, reason, fields);
  }

  async function probeDescriptors(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    const isOut = await probe();
    isProbing = false;
    if (isOut) report('descriptors', 'the process has no file descriptor left; raise its limit', { listener: name });
  }

  return {
    report,
    check(): void {
      for (const [cause, atMs] of lastMetMs) {
        if (clock.monotonicMs() - atMs < QUIET_MS) continue;
        lastMetMs.delete(cause);
        outages.clear(cause);
      }
      void probeDescriptors();
    },
  };
}
