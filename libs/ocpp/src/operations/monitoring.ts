// Operations on the monitors of a charger of OCPP 2.x.
import type { EventStreamParameters } from './event-stream';
import type { NamedVariable } from './named-variable';

/** The last two of OCPP 2.1. */
export const MONITOR_TYPES = [
  'UpperThreshold',
  'LowerThreshold',
  'Delta',
  'Periodic',
  'PeriodicClockAligned',
  'TargetDelta',
  'TargetDeltaRelative',
] as const;

export const MONITORING_BASES = ['All', 'FactoryDefault', 'HardWiredOnly'] as const;

export interface MonitorInput {
  /** The monitor to replace. */
  readonly id?: number;
  readonly variable: Omit<NamedVariable, 'attributeType'>;
  readonly type: (typeof MONITOR_TYPES)[number];
  readonly value: number;
  readonly severity: number;
  /** It is active during transactions alone. Default: always. */
  readonly transaction?: boolean;
  /** OCPP 2.1: the charger opens a stream of the values, and sends them without events. */
  readonly periodicEventStream?: EventStreamParameters;
}

interface Info {
  readonly statusInfo: { readonly reasonCode: string; readonly additionalInfo: string | null } | null;
}

export interface MonitoringOperations {
  readonly setMonitors: {
    readonly input: { readonly monitors: readonly MonitorInput[] };
    readonly answer: {
      readonly monitors: readonly (Info & {
        /** Null: the charger gave none. */
        readonly id: number | null;
        readonly name: string;
        readonly type: string;
        readonly severity: number;
        readonly status: string;
      })[];
    };
  };
  readonly clearMonitors: {
    readonly input: { readonly ids: readonly number[] };
    readonly answer: { readonly monitors: readonly (Info & { readonly id: number; readonly status: string })[] };
  };
  readonly setMonitoringBase: {
    readonly input: { readonly base: (typeof MONITORING_BASES)[number] };
    readonly answer: { readonly status: string };
  };
  /** Events of monitors of a greater number of severity are not reported. */
  readonly setMonitoringLevel: {
    readonly input: { readonly level: number };
    readonly answer: { readonly status: string };
  };
}
