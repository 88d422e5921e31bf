import type { LeaseAnswer } from './presence';

/** Tells a gateway to close a connection that a newer one replaced, or whose charger is no longer what it was. */
export interface CloseConnection {
  readonly type: 'close';
  readonly chargerId: string;
  readonly connectionId: string;
  readonly reason: 'replaced' | 'deleted' | 'credentials_changed';
}

/** What services say to one gateway without waiting for an answer. */
export type GatewayNotice = CloseConnection | { readonly type: 'lease'; readonly answer: LeaseAnswer };
