// The sockets as registered: what the owner knows of them, besides the reports of the charger.
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../../api/client';
import { useMay } from '../../../api/use-session';
import { DataTable, type Column } from '../../../parts/data-table';
import { Empty, FailureNote } from '../../../parts/notes';
import { RecordDialog, type Versioned } from '../../../records/record-dialog';
import { texts } from '../../../texts';
import { registrationTexts } from '../../../texts/registration';
import type { Charger } from '../use-charger';
import { SOCKET_FIELDS } from './registration-fields';
import { readVersioned, useOpened } from './use-opened';

type Socket = Schemas['Socket'];
const words = registrationTexts;

interface SocketsProps {
  readonly charger: Charger;
  readonly onChanged: () => void;
}

export function RegisteredSockets({ charger: { chargerId, sockets }, onChanged }: SocketsProps) {
  const mayWrite = useMay('chargers:write');
  const [socketId, setSocketId] = useState(0);
  const readSocket = (id: number) => readVersioned(chargerId).then((charger) => socketOf(charger, id));
  const { opened, error, open, close } = useOpened(readSocket);
  const change = (id: number) => {
    setSocketId(id);
    open(id);
  };
  return (
    <section className="card" aria-labelledby="registered-sockets">
      <header className="registration-head registration-padded">
        <h2 id="registered-sockets">{words.registeredSockets}</h2>
      </header>
      {error !== null && <FailureNote title={words.readFailed} error={error} onRetry={() => open(socketId)} />}
      {sockets.length === 0 ? (
        <Empty title={words.noSockets}>
          <p>{words.noSocketsText}</p>
        </Empty>
      ) : (
        <DataTable
          label={words.registeredSockets}
          columns={columnsOf(mayWrite ? change : undefined)}
          rows={sockets}
          keyOf={({ id }) => id}
        />
      )}
      <RecordDialog
        open={opened !== undefined}
        title={texts.charger.socket(socketId)}
        fields={SOCKET_FIELDS}
        stored={opened}
        action={texts.common.save}
        failed={words.socketFailed}
        send={(body, etag) =>
          dataOf(
            api.PATCH('/v2/chargers/{chargerId}/sockets/{socketId}', {
              params: { path: { chargerId, socketId }, header: { 'If-Match': etag } },
              body,
            }),
          )
        }
        read={() => readSocket(socketId)}
        onClose={close}
        onDone={onChanged}
      />
    </section>
  );
}

function socketOf({ record, etag }: { readonly record: Charger; readonly etag: string }, id: number): Versioned {
  return { record: record.sockets.find((socket) => socket.id === id), etag };
}

function columnsOf(onChange: ((id: number) => void) | undefined): readonly Column<Socket>[] {
  const { none } = texts.common;
  return [
    {
      label: words.socket,
      cell: ({ id, name }) => (name === '' ? texts.charger.socket(id) : `${String(id)} · ${name}`),
    },
    { label: words.socketType, cell: ({ type }) => type || none },
    { label: words.socketFormat, cell: ({ format }) => format || none, rank: 3 },
    { label: words.socketPowerType, cell: ({ socketPowerType }) => socketPowerType || none, rank: 3 },
    { label: words.maxPower, cell: ({ maxPower }) => maxPower || none, rank: 2 },
    {
      label: words.limits,
      cell: ({ maxWatts, maxVoltage, maxAmperage }) => words.limitsOf(maxWatts, maxVoltage, maxAmperage) || none,
      rank: 2,
    },
    ...(onChange === undefined ? [] : [changeColumn(onChange)]),
  ];
}

function changeColumn(onChange: (id: number) => void): Column<Socket> {
  return {
    label: words.actions,
    isNumber: true,
    cell: ({ id }) => (
      <button type="button" className="link-button" aria-label={words.changeSocket(id)} onClick={() => onChange(id)}>
        {words.change}
      </button>
    ),
  };
}
