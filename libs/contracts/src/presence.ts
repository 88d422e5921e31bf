/** A gateway's renewal of its lease. */
export interface GatewayLease {
  readonly gatewayId: string;
}

/** What a replica of charger-state answers to a renewal. */
export interface LeaseAnswer {
  readonly gatewayId: string;
  readonly state: 'live' | 'dead';
}

/** A replica's tick: leases lapse by ticks that came back, never by a clock alone. */
export interface ReplicaTick {
  readonly replicaId: string;
  readonly count: number;
}

/** A replica of charger-state is here (ownership of partitions is computed from those who say so), or leaves. */
export interface ReplicaNotice {
  readonly replicaId: string;
  readonly state: 'here' | 'leaving';
  /** Its clock, by which the others check theirs (ISO UTC). */
  readonly at: string;
}
