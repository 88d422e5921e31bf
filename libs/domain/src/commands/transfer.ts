// Uploads and downloads of a charger and their progress, as events of its history.
import type { ChargerEvent } from '../history/history';
import type { Timestamp } from '../timestamp';

export type TransferKind = 'firmware' | 'diagnostics' | 'log';

/** The charger accepted the request. */
export interface TransferRequest {
  readonly location: string;
  /** When the charger is to download and install it. */
  readonly retrieveAt: string | null;
  readonly installAt: string | null;
  /** The requested period. */
  readonly startTime: string | null;
  readonly stopTime: string | null;
  readonly logType: string | null;
  readonly retries: number | null;
  readonly retryIntervalS: number | null;
  /** The id by which the charger names the transfer in its progress. */
  readonly requestId: number | null;
  /** By the security extension. */
  readonly isSigned: boolean;
  /** The status as the charger sent it. */
  readonly status: string | null;
  readonly fileName: string | null;
  readonly commandId: string | null;
}

/** The charger reported progress. */
export interface TransferProgress {
  readonly status: string;
  readonly requestId: number | null;
}

export type TransferStep = { readonly kind: TransferKind; readonly at: Timestamp } & (
  { readonly request: TransferRequest } | { readonly progress: TransferProgress }
);

/** The actions of the two kinds of event. */
export function transferAction(kind: TransferKind, step: 'requested' | 'progressed'): string {
  return `${kind}.${step}`;
}

/** Reads an event as a step; undefined for other events. */
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
    retrieveAt: text('retrieveAt'),
    installAt: text('installAt'),
    startTime: text('startTime'),
    stopTime: text('stopTime'),
    logType: text('logType'),
    retries: number('retries'),
    retryIntervalS: number('retryIntervalS'),
    requestId: number('requestId'),
    isSigned: payload['isSigned'] === true,
    status: text('status'),
    fileName: text('fileName'),
    commandId: text('commandId'),
  };
  return { kind, at: receivedAt, request };
}

const KINDS: readonly TransferKind[] = ['firmware', 'diagnostics', 'log'];
