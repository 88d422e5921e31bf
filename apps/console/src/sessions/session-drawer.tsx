// One session: times, meter, its curve of power and energy, and its meter values. One in progress grows by events.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../api/client';
import { useMay } from '../api/use-session';
import { useFeed } from '../live/live';
import { energyAt, type Sample } from '../model/measurements';
import { Button } from '../parts/button';
import { Fact } from '../parts/card';
import { ChargerLink } from '../parts/charger-link';
import { Dialog } from '../parts/dialog';
import { energyOf, numberOf } from '../parts/format';
import { FailureNote, Skeleton } from '../parts/notes';
import { DateTime } from '../parts/time';
import { texts } from '../texts';
import { sessionsTexts } from '../texts/sessions';
import { MeterValues } from './meter-values';
import { useReadings } from './readings';
import { Duration, SessionState, type Session } from './session-table';
import './sessions.css';
import { changeSession } from './use-sessions';

interface DrawerProps {
  readonly transactionId: number | undefined;
  readonly onClose: () => void;
}

export function SessionDrawer({ transactionId, onClose }: DrawerProps) {
  return (
    <Dialog
      kind="drawer"
      open={transactionId !== undefined}
      onClose={onClose}
      title={transactionId === undefined ? '' : sessionsTexts.one(transactionId)}
    >
      {transactionId !== undefined && <Content key={transactionId} transactionId={transactionId} />}
    </Dialog>
  );
}

function Content({ transactionId }: { readonly transactionId: number }) {
  const client = useQueryClient();
  const key = ['session', transactionId];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v2/sessions/{transactionId}', { params: { path: { transactionId } }, signal })),
  });
  const chargerId = data?.chargerId;
  const need = chargerId === undefined ? undefined : { types: ['session.ended'], chargerIds: [chargerId] };
  const readAnew = () => void client.invalidateQueries({ queryKey: key });
  useFeed(need, readAnew, readAnew);
  if (data === undefined) {
    if (error === null) return <Skeleton width="60%" />;
    return <FailureNote title={sessionsTexts.oneFailed} error={error} onRetry={() => void refetch()} />;
  }
  return <Shown session={data} />;
}

function Shown({ session }: { readonly session: Session }) {
  const readings = useReadings(session);
  return (
    <>
      <Facts session={session} samples={readings.samples} />
      <MeterValues session={session} readings={readings} />
      <EndSession session={session} />
    </>
  );
}

/** Of a session in progress: what the last meter value comes to. */
function chargedWh({ consumptionWh, state, meterStart }: Session, samples: readonly Sample[]): number | undefined {
  if (state !== 'ongoing') return consumptionWh ?? undefined;
  const register = energyAt(samples);
  return register === undefined ? undefined : register - (meterStart ?? 0);
}

function Facts({ session, samples }: { readonly session: Session; readonly samples: readonly Sample[] }) {
  const { none } = texts.common;
  const charged = chargedWh(session, samples);
  return (
    <dl className="facts">
      <Fact label={sessionsTexts.state}>
        <SessionState state={session.state} />
      </Fact>
      <Fact label={sessionsTexts.charger}>
        <ChargerLink chargerId={session.chargerId} /> · {session.socketId}
      </Fact>
      <Fact label={sessionsTexts.started}>
        <DateTime at={session.startTime} />
      </Fact>
      <Fact label={sessionsTexts.ended}>{session.endTime === null ? none : <DateTime at={session.endTime} />}</Fact>
      <Fact label={sessionsTexts.duration}>
        <Duration session={session} />
      </Fact>
      <Fact label={sessionsTexts.energy}>{charged === undefined ? none : energyOf(charged)}</Fact>
      <Fact label={sessionsTexts.tag}>
        <span className="mono">{session.rfidTag}</span>
      </Fact>
      <Fact label={sessionsTexts.authorization}>{session.authorization.status}</Fact>
      <Fact label={sessionsTexts.meterStart}>
        {session.meterStart === null ? none : `${numberOf(session.meterStart)} Wh`}
      </Fact>
      <Fact label={sessionsTexts.meterStop}>
        {session.meterStop === null ? none : `${numberOf(session.meterStop)} Wh`}
      </Fact>
      <Fact label={sessionsTexts.reason}>{session.stopReason ?? none}</Fact>
      <Fact label={sessionsTexts.endedBy}>{session.endedBy ?? none}</Fact>
    </dl>
  );
}

/** For a session whose charger will never report its end. */
function EndSession({ session }: { readonly session: Session }) {
  const mayEnd = useMay('sessions:write');
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { transactionId } = session;
  const end = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/v2/sessions/{transactionId}/end', { params: { path: { transactionId } }, body: {} })),
    onSuccess: (ended) => {
      setAsking(false);
      client.setQueryData(['session', transactionId], ended);
      changeSession(client, transactionId, () => ended);
    },
  });
  if (!mayEnd || session.state !== 'ongoing') return null;
  if (!isAsking) {
    return (
      <div className="session-actions">
        <Button size="s" kind="danger" onClick={() => setAsking(true)}>
          {sessionsTexts.end}
        </Button>
      </div>
    );
  }
  return (
    <div className="stack">
      {end.isError && <FailureNote title={sessionsTexts.endFailed} error={end.error} />}
      <p>{sessionsTexts.endNote}</p>
      <div className="session-actions">
        <Button size="s" onClick={() => setAsking(false)}>
          {texts.common.cancel}
        </Button>
        <Button size="s" kind="danger" busy={end.isPending} onClick={() => end.mutate()}>
          {sessionsTexts.endNow}
        </Button>
      </div>
    </div>
  );
}
