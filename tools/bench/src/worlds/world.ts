import type { Target } from '../load/charger-socket';
import type { ServiceProgram } from './service-program';

/** 1: one process. 2: one process on RabbitMQ. 3: four processes on RabbitMQ and a document server. */
export const COLUMNS = [1, 2, 3] as const;
export type Column = (typeof COLUMNS)[number];

/** The messages between the gateway and the store. */
export interface Waiting {
  /** Broker messages ready in the partitions' queues; delivered ones are not counted, and each holds many reports. */
  readonly queued: number;
  /** Messages of chargers that charger-state has applied since it started. */
  readonly applied: number;
}

/** A running network: the product's own processes and the servers that it stands on. */
export interface World {
  readonly column: Column;
  readonly clientId: string;
  readonly apiKey: string;
  readonly certificate: { readonly certFile: string; readonly keyFile: string };
  /** What the programs have as STORE_URL. */
  readonly storeUrl: string;
  /** Where the columns on RabbitMQ have it. */
  readonly rabbitUrl: string | undefined;
  /** Returns the running processes; their addresses change after `restart`. */
  running(): Running;
  /** Ends the product's processes and starts them again on the same data. */
  restart(): Promise<void>;
  /** Kills the program that holds the sockets and starts it again. Resolves when its ports are open. */
  killGateway(): Promise<void>;
  stop(): Promise<void>;
}

/** Replicas of a service have one name. */
export type Pids = Readonly<Record<string, readonly number[]>>;

export interface Running {
  /** For chargers: plain websockets, and TLS ones. */
  readonly plain: Target;
  /** Plain websockets of every gateway: `plain` is the first. */
  readonly plains: readonly Target[];
  readonly secure: Target;
  /** For integrators. */
  readonly v2: Target;
  readonly legacy: Target;
  /** Whichever program holds the sockets. */
  readonly gateway: ServiceProgram;
  readonly programs: readonly ServiceProgram[];
  /** Process ids by name, those of the servers it stands on too. */
  readonly pids: Pids;
  /** Undefined in column 1, where nothing can wait: an answer means that the store has it. */
  waiting(): Promise<Waiting | undefined>;
}
