// The reservations that a charger accepted, newest first.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../../api/client';
import { useMay } from '../../../api/use-session';
import type { Column } from '../../../parts/data-table';
import { TagText } from '../../../parts/tag-text';
import { DateTime } from '../../../parts/time';
import { texts } from '../../../texts';
import { heldTexts as words } from '../../../texts/held';
import { useChargerSearch } from '../use-charger-search';
import { AskCharger } from './ask-charger';
import { HeldPage, PAGE_SIZE } from './held-page';

type Reservation = Schemas['Reservation'];

const REFRESH_MS = 10_000;

export function Reservations({ chargerId }: { readonly chargerId: string }) {
  const mayOperate = useMay('chargers:operate');
  const {
    search: { reservations: page = 1 },
    change,
  } = useChargerSearch();
  const [cancelled, setCancelled] = useState<number>();
  const query = useQuery({
    queryKey: ['held', chargerId, 'reservations', page],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/chargers/{chargerId}/reservations', {
          params: {
            path: { chargerId },
            query: { page, limit: PAGE_SIZE, sortKey: 'reservedAt', sortDescending: true },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const reservationId = cancelled ?? 0;
  return (
    <HeldPage
      words={{ title: words.reservations, failed: words.reservationsFailed, none: words.noReservations }}
      query={query}
      columns={columnsOf(mayOperate ? setCancelled : undefined)}
      keyOf={({ reservationId: id }) => id}
      page={page}
      onPage={(next) => change({ reservations: next })}
    >
      <AskCharger
        open={cancelled !== undefined}
        title={words.cancelOne(reservationId)}
        text={words.cancelText}
        action={words.cancelNow}
        send={() =>
          dataOf(
            api.DELETE('/v2/chargers/{chargerId}/reservations/{reservationId}', {
              params: { path: { chargerId, reservationId } },
            }),
          )
        }
        onClose={() => setCancelled(undefined)}
        onAnswered={() => void query.refetch()}
      />
    </HeldPage>
  );
}

const COLUMNS: readonly Column<Reservation>[] = [
  { label: words.id, cell: ({ reservationId }) => reservationId, rank: 2 },
  { label: words.tag, cell: ({ rfidTag }) => <TagText tag={rfidTag} /> },
  { label: words.state, cell: ({ state }) => words.states[state] },
  { label: words.socket, cell: ({ socketId }) => socketId ?? words.wholeCharger, rank: 2 },
  { label: words.expires, cell: ({ expiresAt }) => <DateTime at={expiresAt} />, rank: 2 },
];

function columnsOf(onCancel: ((id: number) => void) | undefined): readonly Column<Reservation>[] {
  if (onCancel === undefined) return COLUMNS;
  return [
    ...COLUMNS,
    {
      label: words.actions,
      isNumber: true,
      cell: ({ reservationId, state }) =>
        state === 'active' ? (
          <button
            type="button"
            className="link-button"
            aria-label={words.cancelOne(reservationId)}
            onClick={() => onCancel(reservationId)}
          >
            {words.cancel}
          </button>
        ) : (
          texts.common.none
        ),
    },
  ];
}
