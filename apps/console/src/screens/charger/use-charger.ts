// One charger, current by events; and what its sessions in progress measure.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { useFeed, type FeedEvent } from '../../live/live';
import { createChangesWhileReading } from '../../model/changes-while-reading';
import { applyEvent, ROW_TYPES } from '../../model/apply-event';
import { energyAt, powerAt, sampleOf, samplesOf } from '../../model/measurements';
import { chargerKey } from '../../records/charger-keys';

export type Charger = Schemas['Charger'];

export interface LastReading {
  readonly powerW: number | undefined;
  readonly energyWh: number | undefined;
}

/** Most of what a charger sends makes no event: only a reading says when it was last seen. */
const LAST_SEEN_MS = 15_000;

const inReading = createChangesWhileReading<Charger>((charger) => charger.chargerId);

export function useCharger(chargerId: string) {
  const client = useQueryClient();
  const key = chargerKey(chargerId);
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      inReading.one(() => dataOf(api.GET('/v2/chargers/{chargerId}', { params: { path: { chargerId } }, signal }))),
    refetchInterval: LAST_SEEN_MS,
  });
  const maySeeSessions = useMay('sessions:read');
  const types = useMemo(
    () => [...ROW_TYPES, ...(maySeeSessions ? ['session.started', 'session.ended'] : [])],
    [maySeeSessions],
  );
  const readAnew = () => void client.invalidateQueries({ queryKey: key });

  function onEvent(event: FeedEvent): void {
    const change = (charger: Charger) => applyEvent(charger, event);
    inReading.changed(chargerId, change);
    client.setQueryData<Charger>(key, (charger) => charger && change(charger));
    // These say that something changed, but not all of it.
    if (['charger.updated', 'charger.deleted', 'session.started', 'session.ended'].includes(event.type)) readAnew();
  }

  useFeed({ types, chargerIds: [chargerId] }, onEvent, readAnew);
  return query;
}

/** The session in progress, for its tag, start and meter. */
export function useSessionOf(transactionId: number | undefined) {
  const maySee = useMay('sessions:read');
  return useQuery({
    queryKey: ['session', transactionId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/sessions/{transactionId}', { params: { path: { transactionId: transactionId ?? 0 } }, signal }),
      ),
    enabled: maySee && transactionId !== undefined,
  });
}

/** The last power and energy of a session: of its stored meter values, then of events. */
export function useLastReading(chargerId: string, transactionId: number | undefined): LastReading {
  const client = useQueryClient();
  const maySee = useMay('sessions:read');
  const key = ['readings', transactionId];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readLast(transactionId ?? 0, signal),
    enabled: maySee && transactionId !== undefined,
    staleTime: Infinity,
  });
  const need = maySee && transactionId !== undefined ? { types: ['meter.values'], chargerIds: [chargerId] } : undefined;
  useFeed(
    need,
    (event) => {
      if (event.type !== 'meter.values' || event.data.transactionId !== transactionId) return;
      const samples = event.data.measurements.flatMap(sampleOf);
      client.setQueryData<LastReading>(key, (before) => ({
        powerW: powerAt(samples) ?? before?.powerW,
        energyWh: energyAt(samples) ?? before?.energyWh,
      }));
    },
    () => void client.invalidateQueries({ queryKey: key }),
  );
  return data ?? { powerW: undefined, energyWh: undefined };
}

async function readLast(transactionId: number, signal: AbortSignal): Promise<LastReading> {
  const page = await dataOf(
    api.GET('/v2/sessions/{transactionId}/meter-values', {
      params: { path: { transactionId }, query: { limit: 3, sortKey: 'receivedAt', sortDescending: true } },
      signal,
    }),
  );
  const samples = page.items.flatMap(samplesOf);
  return { powerW: powerAt(samples), energyWh: energyAt(samples) };
}
