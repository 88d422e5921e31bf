import { hostname } from 'node:os';
import { AppError, createId, createOutageReporter, type Clock, type Logger } from '@busbar/core';
import type { Tracing } from './tracing';
import { pairsOf, type TracingSettings } from './tracing-settings';

export interface StartTracingOptions {
  readonly service: string;
  readonly version: string;
  readonly settings: TracingSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Turns tracing on where a collector is configured; undefined otherwise, without loading OpenTelemetry. Throws
 * `invalid_configuration` for an endpoint that is no URL.
 */
export async function startTracing(options: StartTracingOptions): Promise<Tracing | undefined> {
  const { service, version, settings, clock, logger } = options;
  const { otlpEndpoint } = settings;
  if (otlpEndpoint === undefined) return undefined;
  if (!URL.canParse(otlpEndpoint)) {
    throw new AppError(
      'invalid_configuration',
      'OTEL_EXPORTER_OTLP_ENDPOINT is no valid URL: write for example http://collector:4318, or remove it.',
    );
  }
  const [{ createOtelTracing }, { createOtlpExporter }] = await Promise.all([
    import('./otel-tracing.js'),
    import('./otlp-exporter.js'),
  ]);
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'traces cannot be sent to the collector; spans are dropped',
    ended: 'traces are sent to the collector again',
  });
  const resource = {
    'service.name': settings.otelServiceName ?? service,
    'service.namespace': 'busbar',
    'service.version': version,
    'service.instance.id': createId(),
    'host.name': hostname(),
    ...pairsOf(settings.otelResourceAttributes),
  };
  return createOtelTracing({ exporter: createOtlpExporter(settings, outages), settings, resource });
}
