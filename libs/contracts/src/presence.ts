/** A gateway's renewal of its lease. */
export interface GatewayLease {
  readonly gatewayId: string;
}

/** The response of a charger-state replica to a renewal. */
export interface LeaseAnswer {
  readonly gatewayId: string;
  readonly state: 'live' | 'dead';
}

/** A replica's tick. Leases expire by ticks that the broker returned, never by a clock alone. */
export interface ReplicaTick {
  readonly replicaId: string;
  readonly count: number;
}

/** A charger-state replica is present or leaves. The owners of partitions are computed from the present ones. */
export interface ReplicaNotice {
  readonly replicaId: string;
  readonly state: 'here' | 'leaving';
  /** The replica's clock (RFC 3339, UTC): the others compare theirs with it. */
  readonly at: string;
}
