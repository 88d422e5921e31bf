// Operations on the periodic event streams of a charger of OCPP 2.1.

export interface EventStreamParameters {
  /** Seconds after which the charger sends what it has. */
  readonly interval?: number;
  /** Number of values after which the charger sends them. */
  readonly values?: number;
}

export interface EventStreamOperations {
  /** Its response has no status. */
  readonly listEventStreams: {
    readonly input: object;
    readonly answer: {
      readonly status: string;
      readonly streams: readonly (EventStreamParameters & { readonly id: number; readonly monitorId: number })[];
    };
  };
  readonly adjustEventStream: {
    readonly input: EventStreamParameters & { readonly id: number };
    readonly answer: { readonly status: string };
  };
}
