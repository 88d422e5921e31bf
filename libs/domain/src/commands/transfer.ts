// What a charger loads up or down when told to, and what it tells of it: facts of its history, in the service's own words.
import type { ChargerEvent } from '../history/history';
import type { Timestamp } from '../timestamp';

export type TransferKind = 'firmware' | 'diagnostics' | 'log';

/** A charger answered that it was asked for it. */
export interface TransferRequest {
  readonly location: string;
  /** When it is to be loaded, and installed. */
  readonly retrieveAt: string | null;
  readonly installAt: string | null;
  /** What period is asked for. */
  readonly startTime: string | null;
  readonly stopTime: string | null;
  readonly logType: string | null;
  readonly retries: number | null;
  readonly retryIntervalS: number | null;
  /** What the charger names it by in what it tells. */
  readonly requestId: number | null;
  /** By the security extension. */
  readonly isSigned: boolean;
  /** The charger's own words. */
  readonly status: string | null;
  readonly fileName: string | null;
  readonly commandId: string | null;
}

/** A charger told how far it got. */
export interface TransferProgress {
  readonly status: string;
  readonly requestId: number | null;
}

export type TransferStep = { readonly kind: TransferKind; readonly at: Timestamp } & (
  { readonly request: TransferRequest } | { readonly progress: TransferProgress }
);

/** How the two are called among a charger's events. */
export function transferAction(kind: TransferKind, step: 'requested' | 'progressed'): string {
  return `${kind}.${step}`;
}

/** An event as the step that it was kept for; undefined for any other. */
export function transferStepOf({ action, receivedAt, payload }: ChargerEvent): TransferStep | undefined {
  const kind = KINDS.find((each) => action.startsWith(`${each}.`));
  if (kind === undefined) return undefined;
  const text = (name: string): string | null => (typeof payload[name] === 'string' ? payload[name] : null);
  const number = (name: string): number | null => (typeof payload[name] === 'number' ? payload[name] : null);
  if (action === transferAction(kind, 'progressed')) {
    return { kind, at: receivedAt, progress: { status: text('status') ?? '', requestId: number('requestId') } };
  }
  const request = {
    location: text('location') ?? '',
    ...{ retrieveAt: text('retrieveAt'), installAt: text('installAt') },
    ...{ startTime: text('startTime'), stopTime: text('stopTime'), logType: text('logType') },
    ...{ retries: number('retries'), retryIntervalS: number('retryIntervalS'), requestId: number('requestId') },
    isSigned: payload['isSigned'] === true,
    ...{ status: text('status'), fileName: text('fileName'), commandId: text('commandId') },
  };
  return { kind, at: receivedAt, request };
}

const KINDS: readonly TransferKind[] = ['firmware', 'diagnostics', 'log'];
