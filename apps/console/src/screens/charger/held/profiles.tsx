// The charging profiles that a charger accepted and that were not cleared since.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../../api/client';
import { useMay } from '../../../api/use-session';
import type { Column } from '../../../parts/data-table';
import { Dialog } from '../../../parts/dialog';
import { Json } from '../../../parts/json';
import { DateTime } from '../../../parts/time';
import { texts } from '../../../texts';
import { heldTexts as words } from '../../../texts/held';
import { useChargerSearch } from '../use-charger-search';
import { AskCharger } from './ask-charger';
import { HeldPage, PAGE_SIZE } from './held-page';

type Profile = Schemas['InstalledChargingProfile'];

const REFRESH_MS = 10_000;

interface Open {
  readonly kind: 'show' | 'clear';
  readonly profile: Profile;
}

export function Profiles({ chargerId }: { readonly chargerId: string }) {
  const mayOperate = useMay('chargers:operate');
  const {
    search: { profiles: page = 1 },
    change,
  } = useChargerSearch();
  const [open, setOpen] = useState<Open>();
  const query = useQuery({
    queryKey: ['held', chargerId, 'profiles', page],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/chargers/{chargerId}/charging-profiles', {
          params: { path: { chargerId }, query: { page, limit: PAGE_SIZE, sortKey: 'setAt', sortDescending: true } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const chargingProfileId = open?.profile.chargingProfileId ?? 0;
  const close = () => setOpen(undefined);
  return (
    <HeldPage
      words={{ title: words.profiles, failed: words.profilesFailed, none: words.noProfiles }}
      query={query}
      columns={[...COLUMNS, actionsColumn(setOpen, mayOperate)]}
      keyOf={({ source, chargingProfileId: id }) => `${source}/${String(id)}`}
      page={page}
      onPage={(next) => change({ profiles: next })}
    >
      <Dialog open={open?.kind === 'show'} onClose={close} title={words.profile(chargingProfileId)}>
        <Json value={open?.profile.chargingProfile ?? {}} />
      </Dialog>
      <AskCharger
        open={open?.kind === 'clear'}
        title={words.clearOne(chargingProfileId)}
        text={words.clearText}
        action={words.clearNow}
        send={() =>
          dataOf(
            api.DELETE('/v2/chargers/{chargerId}/charging-profile', {
              params: { path: { chargerId }, query: { chargingProfileId } },
            }),
          )
        }
        onClose={close}
        onAnswered={() => void query.refetch()}
      />
    </HeldPage>
  );
}

/** Only the charger removes a profile of another source. */
function isOwn({ source }: Pick<Profile, 'source'>): boolean {
  return source === 'CSO';
}

const COLUMNS: readonly Column<Profile>[] = [
  { label: words.id, cell: ({ chargingProfileId }) => chargingProfileId },
  {
    label: words.purpose,
    cell: ({ chargingProfilePurpose: purpose, source }) => (isOwn({ source }) ? purpose : `${purpose} (${source})`),
  },
  { label: words.socket, cell: ({ socketId }) => socketId ?? words.wholeCharger, rank: 2 },
  { label: words.stackLevel, cell: ({ stackLevel }) => stackLevel, rank: 3 },
  { label: words.session, cell: ({ transactionId }) => transactionId ?? texts.common.none, rank: 3 },
  { label: words.setAt, cell: ({ setAt }) => <DateTime at={setAt} />, rank: 2 },
];

function actionsColumn(onOpen: (open: Open) => void, mayOperate: boolean): Column<Profile> {
  return {
    label: words.actions,
    isNumber: true,
    cell: (profile) => (
      <span className="held-actions">
        <button
          type="button"
          className="link-button"
          aria-label={words.showProfile(profile.chargingProfileId)}
          onClick={() => onOpen({ kind: 'show', profile })}
        >
          {words.show}
        </button>
        {mayOperate && isOwn(profile) && (
          <button
            type="button"
            className="link-button"
            aria-label={words.clearOne(profile.chargingProfileId)}
            onClick={() => onOpen({ kind: 'clear', profile })}
          >
            {words.clear}
          </button>
        )}
      </span>
    ),
  };
}
