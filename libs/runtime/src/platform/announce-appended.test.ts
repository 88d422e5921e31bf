import { partitionOf, type ReportEnvelope } from '@busbar/contracts';
import { createFakeClock } from '@busbar/testing';
import { createAnnouncer } from './announce-appended';

const NOW = new Date('2026-01-01T12:00:00.000Z');

function announcer(partitions: number) {
  const sent: { readonly partition: number; readonly reports: readonly ReportEnvelope[] }[] = [];
  const broker = {
    enqueue: (_channel: unknown, partition: number, body: unknown): void => {
      sent.push({ partition, reports: (body as { readonly reports: readonly ReportEnvelope[] }).reports });
    },
  };
  return { sent, announce: createAnnouncer({ broker, clock: createFakeClock(NOW), partitions }) };
}

it('sends a nudge without a position to the partition of each charger', () => {
  const { sent, announce } = announcer(4);
  announce(['A', 'B', 'C'].map((chargerId) => ({ chargerId, incarnationId: `${chargerId}-1` })));
  const found = sent.flatMap(({ partition, reports }) =>
    reports.map(({ chargerId }) => [chargerId, partition] as const),
  );
  expect([...found].sort()).toEqual(['A', 'B', 'C'].map((chargerId) => [chargerId, partitionOf(chargerId, 4)]));
  expect(sent[0]?.reports[0]).toMatchObject({
    v: 2,
    kind: 'nudge',
    order: 0,
    seq: 0,
    raw: '',
    receivedAt: NOW.toISOString(),
  });
});

it('divides many nudges', () => {
  const { sent, announce } = announcer(1);
  announce(Array.from({ length: 450 }, (_, n) => ({ chargerId: String(n), incarnationId: 'i' })));
  expect(sent.map(({ reports }) => reports.length)).toEqual([200, 200, 50]);
});

it('sends nothing for no charger', () => {
  const { sent, announce } = announcer(1);
  announce([]);
  expect(sent).toEqual([]);
});
