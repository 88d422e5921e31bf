import { flag, integer, literal, positive, record, text, timestamp, type ValueOf } from './schema';

/** A gateway's renewal of its lease. */
export const gatewayLease = record(
  { gatewayId: text },
  {
    /** The schema version of the gateway's program. Absent: 1. */
    schema: positive,
    /** The version of that program, for logs. */
    program: text,
    /** Open sockets. A gateway with many more than others closes idle ones (REBALANCE). */
    sockets: integer,
    /** It closes its sockets to stop. */
    stopping: flag,
  },
);

/** A gateway's lease, as charger-state and the other gateways receive it. */
export type GatewayLease = ValueOf<typeof gatewayLease>;

export const leaseAnswer = record({ gatewayId: text, state: literal('live', 'dead') });

/** The response of a charger-state replica to a renewal. */
export type LeaseAnswer = ValueOf<typeof leaseAnswer>;

/** A replica's tick. Leases expire by ticks that the broker returned, never by a clock alone. */
export const replicaTick = record({ replicaId: text, count: integer });

export const replicaNotice = record(
  {
    replicaId: text,
    state: literal('here', 'leaving'),
    /** The replica's clock: the others compare theirs with it. */
    at: timestamp,
  },
  {
    /** The newest version of messages that it reads: `REPORT_VERSION` of charger-state. Absent: 1. */
    reads: positive,
    /** Of push: about how many events wait for its webhooks. Absent: charger-state, or unknown. */
    waiting: integer,
  },
);

/** A replica is present or leaves. The owners of partitions (charger-state) and webhooks (push) are computed from the present ones. */
export type ReplicaNotice = ValueOf<typeof replicaNotice>;
