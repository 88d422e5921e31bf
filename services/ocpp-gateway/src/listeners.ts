// The ports of a gateway that is a process of its own.
import type { Clock, Logger } from '@busbar/core';
import {
  addressOf,
  createListener,
  createProxyTrust,
  type Listener,
  type ListenerOptions,
  type TlsFiles,
} from '@busbar/http';
import { observeCertificate, type Metrics, type SettingsOf } from '@busbar/runtime';
import type { aloneSettings } from './config';
import type { Gateway } from './service';

export interface ListenersDeps {
  readonly gateway: Pick<
    Gateway,
    'acceptsUpgrade' | 'handleRequest' | 'handleRefused' | 'handleUpgrade' | 'handlePlainUpgrade' | 'applyRevocations'
  >;
  readonly settings: Pick<
    SettingsOf<typeof aloneSettings>,
    'host' | 'port' | 'plainPort' | 'plainHost' | 'trustedProxies' | 'maxConnections' | 'maxSocketsPerAddress'
  >;
  readonly tls: TlsFiles | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Listeners {
  readonly main: Listener;
  /** For plain ws; undefined where it is not configured. */
  readonly plain: Listener | undefined;
}

/** Room for sockets of rejected upgrades and ordinary requests, beside the chargers. */
const OTHER_SOCKETS = 1_000;

export function createListeners({ gateway, settings, tls, clock, logger, metrics }: ListenersDeps): Listeners {
  const { host, port, plainPort, plainHost, trustedProxies, maxConnections, maxSocketsPerAddress } = settings;
  const limits = { connections: maxConnections + OTHER_SOCKETS, socketsPerAddress: maxSocketsPerAddress };
  const { acceptsUpgrade, handleRefused: onRefused } = gateway;
  const common = { host, logger, clock, limits, acceptsUpgrade, onRefused };
  // A gateway that terminates TLS has no proxy in front: a header with another address is forged.
  const proxiesOfMain = tls === undefined ? trustedProxies : [];
  const main = createListener({
    ...common,
    port,
    tls,
    trustedProxies: proxiesOfMain,
    onRequest: requestsFrom(gateway, proxiesOfMain),
    onUpgrade: gateway.handleUpgrade,
    onRevocations: gateway.applyRevocations,
    onCertificate: observeCertificate(metrics),
  });
  if (plainPort === 'off') return { main, plain: undefined };
  const plain = createListener({
    ...common,
    name: 'plain listener',
    host: plainHost ?? host,
    ...(plainHost === undefined ? {} : { hostVariable: 'OCPP_PLAIN_HOST' }),
    port: plainPort,
    portVariable: 'OCPP_PLAIN_PORT',
    plainWebsocketsOnly: true,
    trustedProxies,
    onRequest: requestsFrom(gateway, trustedProxies),
    onUpgrade: gateway.handlePlainUpgrade,
  });
  return { main, plain };
}

function requestsFrom(
  { handleRequest }: ListenersDeps['gateway'],
  trustedProxies: readonly string[],
): ListenerOptions['onRequest'] {
  const isTrustedProxy = createProxyTrust(trustedProxies);
  return (request, response) => {
    handleRequest(request, response, { address: addressOf(request, isTrustedProxy) });
  };
}
