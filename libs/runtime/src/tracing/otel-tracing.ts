// Tracing with OpenTelemetry. Only `start-tracing.ts` loads it, where a collector is configured. Nothing is registered globally.
import { AsyncLocalStorage } from 'node:async_hooks';
import { keepAliveTimers, withDeadline } from '@busbar/core';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import type { SpanKind, SpanOptions, TraceSpan, Tracing } from './tracing';
import type { TracingSettings } from './tracing-settings';

export interface OtelTracingOptions {
  readonly exporter: SpanExporter;
  readonly settings: Pick<TracingSettings, 'otelSampler' | 'otelSamplerArg'>;
  /** Attributes of the process: its name, version and instance. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Spans that wait for the collector; further ones are dropped. */
const MAX_QUEUE = 2_048;
const MAX_BATCH = 512;
const SEND_EVERY_MS = 1_000;
const STOP_MS = 2_000;
const LIMITS = { attributeCountLimit: 32, attributeValueLengthLimit: 256, eventCountLimit: 8, linkCountLimit: 32 };

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
};

const propagator = new W3CTraceContextPropagator();

export function createOtelTracing({ exporter, settings, resource }: OtelTracingOptions): Tracing {
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceFromAttributes({ ...resource }),
    spanLimits: LIMITS,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_QUEUE,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
      }),
    ],
  });
  const tracer: Tracer = provider.getTracer('busbar');
  const current = new AsyncLocalStorage<Context>();

  const start = (name: string, { kind, attributes = {} }: SpanOptions, parent: Context): TraceSpan => {
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, parent);
    return spanIn(span, trace.setSpan(parent, span), current);
  };
  const contextOf = (headers: Readonly<Record<string, string>> | undefined): Context =>
    headers === undefined ? ROOT_CONTEXT : propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);

  return {
    begin: (name, options, headers) => start(name, options, contextOf(headers)),
    child(name, options) {
      const context = current.getStore();
      return context !== undefined && isSampled(context) ? start(name, options, context) : undefined;
    },
    headers() {
      const context = current.getStore();
      return context !== undefined && isSampled(context) ? headersOf(context) : undefined;
    },
    within: (headers, work) => current.run(contextOf(headers), work),
    async stop() {
      // An unreachable collector does not delay the stop further.
      const late = (): Error => new Error('the collector does not answer');
      await withDeadline(keepAliveTimers, STOP_MS, provider.shutdown(), late).catch(() => undefined);
    },
  };
}

function spanIn(span: Span, context: Context, current: AsyncLocalStorage<Context>): TraceSpan {
  return {
    traceId: span.spanContext().traceId,
    traceparent: isSampled(context) ? headersOf(context)['traceparent'] : undefined,
    run: (work) => current.run(context, work),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    end(errorCode) {
      if (errorCode !== undefined) {
        span.setAttribute(ATTR_ERROR_TYPE, errorCode);
        span.setStatus({ code: SpanStatusCode.ERROR, message: errorCode });
      }
      span.end();
    },
  };
}

function isSampled(context: Context): boolean {
  return ((trace.getSpanContext(context)?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0;
}

function headersOf(context: Context): Record<string, string> {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, defaultTextMapSetter);
  return headers;
}

function samplerOf({ otelSampler, otelSamplerArg }: OtelTracingOptions['settings']): Sampler {
  const root = rootSampler(otelSampler.replace('parentbased_', ''), Number(otelSamplerArg));
  return otelSampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'always_on' ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
}
