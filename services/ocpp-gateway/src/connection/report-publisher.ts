// The port through which a connection's reports leave for charger-state. `uplink/publisher.ts` implements it.
import type { ReportEnvelope, ReportKind } from '@busbar/contracts';
import type { Connection } from './connection';

/** `expired`: given up, because it waited too long or the broker can never accept it. */
export type PublishResult = 'confirmed' | 'expired';

/** The fields of a report that do not follow from its connection. */
export type ReportFields = Pick<ReportEnvelope, 'action' | 'messageId' | 'payload' | 'raw'> &
  Partial<Pick<ReportEnvelope, 'id' | 'request' | 'commandId' | 'requestId' | 'sentAfter' | 'replyTo' | 'deadline'>> & {
    readonly answer?: ReportEnvelope['answer'] | undefined;
    readonly traceparent?: string | undefined;
    readonly rawBytes?: ReportEnvelope['rawBytes'] | undefined;
    readonly deviations?: ReportEnvelope['deviations'] | undefined;
    readonly pendingStart?: ReportEnvelope['pendingStart'] | undefined;
    readonly authorization?: ReportEnvelope['authorization'] | undefined;
    readonly certificates?: ReportEnvelope['certificates'] | undefined;
    readonly repaired?: true | undefined;
    readonly unanswered?: true | undefined;
    readonly receivedAt?: Date;
    /** The time that it may wait for the broker before it is given up; absent: without limit. */
    readonly holdMs?: number;
  };

export interface ReportPublisher {
  /** Queues a report behind the others of its charger. `done` runs exactly once. */
  publish(connection: Connection, kind: ReportKind, fields: ReportFields, done: (result: PublishResult) => void): void;
  /** The number of reports confirmed since the start. */
  confirmed(): number;
  /** Returns whether the broker does not accept reports at present. */
  failing(): boolean;
}
