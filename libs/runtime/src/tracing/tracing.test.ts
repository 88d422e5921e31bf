import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { createOtelTracing } from './otel-tracing';
import { startTracing } from './start-tracing';
import { traced } from './tracing';
import { pairsOf, tracingSettings, type TracingSettings } from './tracing-settings';
import { readSettings } from '../settings/read-settings';

const SAMPLED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const UNSAMPLED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;

function openTracing(env: Readonly<Record<string, string>> = {}) {
  const exporter = new InMemorySpanExporter();
  const settings = readSettings(tracingSettings, env);
  return { exporter, tracing: createOtelTracing({ exporter, settings, resource: { 'service.name': 'test' } }) };
}

describe('tracing', () => {
  it('is off without an endpoint, and refuses one that is no URL', async () => {
    const start = (settings: Partial<TracingSettings>) =>
      startTracing({
        service: 'v2-api',
        version: '1',
        settings: { ...readSettings(tracingSettings, {}), ...settings },
        clock: systemClock,
        logger: createRecordingLogger(),
      });
    expect(await start({})).toBeUndefined();
    await expect(start({ otlpEndpoint: 'http://' })).rejects.toThrow('OTEL_EXPORTER_OTLP_ENDPOINT is no valid URL');
  });

  it.each([
    ['always_on', undefined, true],
    ['always_on', UNSAMPLED, true],
    ['always_off', SAMPLED, false],
    ['parentbased_always_on', undefined, true],
    ['parentbased_always_on', UNSAMPLED, false],
    ['parentbased_always_off', undefined, false],
    ['parentbased_always_off', SAMPLED, true],
    ['parentbased_traceidratio', undefined, false],
    ['traceidratio', SAMPLED, false],
  ])('samples with %s and the traceparent %s: %s', (sampler, traceparent, expected) => {
    const { tracing } = openTracing({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0' });
    const headers = traceparent === undefined ? undefined : { traceparent };
    expect(tracing.begin('GET', { kind: 'server' }, headers).traceparent !== undefined).toBe(expected);
  });

  it('continues a trace by the headers that it gives, and has none outside of a trace', async () => {
    const { tracing } = openTracing();
    expect(tracing.headers()).toBeUndefined();
    expect(tracing.child('none', { kind: 'client' })).toBeUndefined();
    const parent = tracing.begin('parent', { kind: 'server' }, { traceparent: SAMPLED, tracestate: 'vendor=1' });
    const headers = await parent.run(async () => {
      await Promise.resolve();
      return tracing.headers();
    });
    expect(headers).toEqual({ traceparent: parent.traceparent, tracestate: 'vendor=1' });
    expect(parent.traceId).toBe('a'.repeat(32));
    tracing.within(headers, () => {
      expect(tracing.child('child', { kind: 'consumer' })?.traceId).toBe(parent.traceId);
    });
    parent.run(() => tracing.within(undefined, () => expect(tracing.headers()).toBeUndefined()));
  });

  it('records the error code of what failed, and not its message', async () => {
    const { tracing, exporter } = openTracing();
    const parent = tracing.begin('parent', { kind: 'server' });
    const failing = () => Promise.reject(Object.assign(new Error('mongodb://secret'), { code: 'unavailable' }));
    await expect(parent.run(() => traced(tracing, { name: 'get', kind: 'client' }, failing))).rejects.toThrow();
    const late = () => Promise.resolve('timeout');
    await parent.run(() => traced(tracing, { name: 'send', kind: 'client' }, late, (outcome) => outcome));
    parent.end();
    const spans = await new Promise<ReturnType<InMemorySpanExporter['getFinishedSpans']>>((resolve) => {
      exporter.shutdown = () => {
        resolve(exporter.getFinishedSpans());
        return Promise.resolve();
      };
      void tracing.stop();
    });
    expect(spans.map(({ name, status, attributes }) => [name, status.message, attributes['error.type']])).toEqual([
      ['get', 'unavailable', 'unavailable'],
      ['send', 'timeout', 'timeout'],
      ['parent', undefined, undefined],
    ]);
  });

  it('reads pairs with percent-encoded values', () => {
    expect(pairsOf('authorization=Basic%20YWJj=,x=100%')).toEqual({ authorization: 'Basic YWJj=', x: '100%' });
    expect(pairsOf(undefined)).toEqual({});
  });
});
