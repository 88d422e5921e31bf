// Sends nudges to the partitions of chargers with appended events. A nudge may be lost: charger-state finds what waits.
import type { Broker } from '@busbar/broker';
import { channels, nudgeOf, partitionOf, type ReportEnvelope } from '@busbar/contracts';
import { createId, type Clock } from '@busbar/core';
import type { AnnounceAppended } from '@busbar/domain/feed';

export interface AnnouncerDeps {
  readonly broker: Pick<Broker, 'enqueue'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly partitions: number;
}

/** In one message of the broker, as many as the reports of a gateway. */
const MAX_NUDGES = 200;

export function createAnnouncer({ broker, clock, partitions }: AnnouncerDeps): AnnounceAppended {
  return (chargers) => {
    const byPartition = new Map<number, ReportEnvelope[]>();
    for (const charger of chargers) {
      const partition = partitionOf(charger.chargerId, partitions);
      const nudge = nudgeOf(charger, createId(), clock.now());
      const list = byPartition.get(partition);
      if (list) list.push(nudge);
      else byPartition.set(partition, [nudge]);
    }
    for (const [partition, nudges] of byPartition) {
      for (let from = 0; from < nudges.length; from += MAX_NUDGES) {
        const reports = nudges.slice(from, from + MAX_NUDGES);
        broker.enqueue(channels.reports, partition, { reports }, () => undefined);
      }
    }
  };
}
