import type { Metrics } from './metrics';

/** The gauge of the end of the public certificate. It appears with the first call: a port without TLS has none. */
export function observeCertificate(metrics: Metrics): (endsAt: Date) => void {
  return (endsAt) => {
    const gauge = metrics.gauge({
      name: 'busbar_tls_certificate_expiry_seconds',
      help: 'When the certificate of the public port ends, or the first one of its chain, in seconds since 1970.',
    });
    gauge.set({}, endsAt.getTime() / 1000);
  };
}
