import type { OutageReporter } from '@busbar/core';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { pairsOf, type TracingSettings } from './tracing-settings';

const PATH = 'v1/traces';
const SEND_MS = 10_000;
const CAUSE = 'collector';

/** Sends spans to the collector at the endpoint. One that is unreachable is reported once and disturbs nothing. */
export function createOtlpExporter(
  { otlpEndpoint = '', otlpHeaders }: Pick<TracingSettings, 'otlpEndpoint' | 'otlpHeaders'>,
  outages: OutageReporter,
): SpanExporter {
  const url = new URL(PATH, otlpEndpoint.endsWith('/') ? otlpEndpoint : `${otlpEndpoint}/`).href;
  const exporter = new OTLPTraceExporter({ url, headers: { ...pairsOf(otlpHeaders) }, timeoutMillis: SEND_MS });
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) outages.clear(CAUSE);
        else outages.report(CAUSE, reasonOf(result.error));
        // Reported above; the processor would report each failure by itself.
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The status or the errno: messages of the exporter quote the collector's answer. */
function reasonOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `it responded ${String(code)}`;
  return typeof code === 'string' ? code : (error?.name ?? 'unknown');
}
