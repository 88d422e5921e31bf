// The interface of tracing for the rest of the code. `otel-tracing.ts` implements it; where tracing is off there is
// none, so that nothing is loaded and nothing is done.
import type { MessageContext, MessageHeaders } from '@busbar/broker';

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind: SpanKind;
  /** Never texts from outside: no query, path, payload or key. */
  readonly attributes?: SpanAttributes;
}

/** One piece of work in a trace. */
export interface TraceSpan {
  readonly traceId: string;
  /** The W3C header that continues this trace; undefined for a trace that is not sampled. */
  readonly traceparent: string | undefined;
  /** Runs work with this span as the current one. */
  run<T>(work: () => T): T;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Ends it; with a code of an error where it failed. */
  end(errorCode?: string): void;
}

export interface Tracing extends MessageContext {
  /** A span of the trace that the headers name, or of a new one. The sampler decides whether it is recorded. */
  begin(name: string, options: SpanOptions, headers?: MessageHeaders): TraceSpan;
  /** A span below the current one; undefined where nothing is being traced. */
  child(name: string, options: SpanOptions): TraceSpan | undefined;
  /** Sends what is left, within two seconds. */
  stop(): Promise<void>;
}

/** Measures a promise as a child of the current span. `failed` is the code of an outcome that counts as an error. */
export function traced<T>(
  tracing: Tracing,
  { name, ...options }: SpanOptions & { readonly name: string },
  work: () => Promise<T>,
  failed?: (outcome: T) => string | undefined,
): Promise<T> {
  const span = tracing.child(name, options);
  if (span === undefined) return work();
  const result = span.run(work);
  result.then(
    (outcome) => span.end(failed?.(outcome)),
    (error: unknown) => span.end(codeOf(error)),
  );
  return result;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'internal';
}
