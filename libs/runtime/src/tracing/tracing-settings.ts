// The variables of OpenTelemetry that Busbar reads. Names and values are those of its specification.
import { choice, text, url } from '../settings/combinators';
import type { SettingsOf } from '../settings/setting';

const PAIRS = {
  pattern: /^[^=,\s]{1,200}=[^,]{0,1000}(,[^=,\s]{1,200}=[^,]{0,1000}){0,49}$/,
  expects: 'up to 50 pairs key=value, separated by commas, values percent-encoded',
};

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const tracingSettings = {
  otlpEndpoint: url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Collector of traces, OTLP over HTTP: http://HOST:4318. Absent: nothing is traced.',
    { default: undefined, schemes: ['http://', 'https://'] },
  ),
  otlpHeaders: text('OTEL_EXPORTER_OTLP_HEADERS', 'Headers for the collector, such as a key.', {
    default: undefined,
    ...PAIRS,
    secret: true,
  }),
  otelServiceName: text('OTEL_SERVICE_NAME', "Name of this process in traces. Absent: the service's own.", {
    default: undefined,
    pattern: /^\S.{0,199}$/,
    expects: '1 to 200 characters',
  }),
  otelResourceAttributes: text('OTEL_RESOURCE_ATTRIBUTES', 'Attributes of this process in traces.', {
    default: undefined,
    ...PAIRS,
  }),
  otelSampler: choice('OTEL_TRACES_SAMPLER', 'Which traces are recorded.', {
    of: SAMPLERS,
    default: 'parentbased_always_on',
  }),
  otelSamplerArg: text('OTEL_TRACES_SAMPLER_ARG', 'The part of all traces that a ratio sampler records.', {
    default: '1.0',
    pattern: /^(0(\.\d{1,10})?|1(\.0{1,10})?)$/,
    expects: 'a number from 0 to 1',
  }),
};

export type TracingSettings = SettingsOf<typeof tracingSettings>;

/** The pairs of a variable, percent-decoded; a value that is not encoded is taken as it is. */
export function pairsOf(value: string | undefined): Readonly<Record<string, string>> {
  const pairs = (value ?? '').split(',').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), decoded(pair)]));
}

function decoded(pair: string): string {
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
