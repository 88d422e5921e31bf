import { Ellipsis } from 'lucide-react';
import { useMay } from '../../api/use-session';
import { Button, IconButton } from '../../parts/button';
import { energyOf, powerOf } from '../../parts/format';
import { visibleOf } from '../../parts/json';
import { Menu, MenuItem } from '../../parts/menu';
import { StateLabel } from '../../parts/state-mark';
import { Since } from '../../parts/time';
import { texts } from '../../texts';
import { commandsTexts } from '../../texts/commands';
import type { CommandRequest } from './commands/definitions';
import { useConnectionNeed } from './commands/use-connection-need';
import { useLastReading, useSessionOf, type Charger } from './use-charger';

type Socket = Charger['sockets'][number];

interface SocketsProps {
  readonly charger: Charger;
  readonly onCommand: (request: CommandRequest) => void;
}

export function Sockets({ charger, onCommand }: SocketsProps) {
  if (charger.sockets.length === 0) return null;
  return (
    <section className="sockets" aria-label={texts.charger.sockets}>
      {charger.sockets.map((socket) => (
        <SocketCard key={socket.id} charger={charger} socket={socket} onCommand={onCommand} />
      ))}
    </section>
  );
}

function SocketCard({ charger, socket, onCommand }: SocketsProps & { readonly socket: Socket }) {
  const mayOperate = useMay('chargers:operate');
  const transactionId = charger.ongoingTransactions.find(({ socketId }) => socketId === socket.id)?.transactionId;
  const detail = [socket.vendorErrorCode, socket.info].filter((part) => part !== '').join(' · ');
  const kind = [socket.type, socket.maxPower].filter((part) => part !== '').join(' · ');
  return (
    <article className="card socket">
      <header className="socket-head">
        <h2 className="socket-name">
          {texts.charger.socket(socket.id)}
          {socket.name !== '' && <span className="muted"> {socket.name}</span>}
        </h2>
        <StateLabel state={socket.status} />
      </header>
      <p className="socket-note">
        {socket.errorCode !== '' && <strong className="socket-error">{socket.errorCode} </strong>}
        {socket.lastUpdated !== null && (
          <>
            {texts.charger.since} <Since at={socket.lastUpdated} />
          </>
        )}
        {kind !== '' && <> · {kind}</>}
        {socket.availability === 'Inoperative' && <> · {texts.charger.inoperative}</>}
        {socket.scheduledAvailability !== null && <> · {texts.charger.scheduled(socket.scheduledAvailability)}</>}
        {detail !== '' && <span className="socket-detail breaks">{visibleOf(detail)}</span>}
      </p>
      <Session chargerId={charger.chargerId} transactionId={transactionId} />
      {mayOperate && (
        <SocketActions charger={charger} socket={socket} transactionId={transactionId} onCommand={onCommand} />
      )}
    </article>
  );
}

function Session({
  chargerId,
  transactionId,
}: {
  readonly chargerId: string;
  readonly transactionId: number | undefined;
}) {
  const { data: session } = useSessionOf(transactionId);
  const { powerW, energyWh } = useLastReading(chargerId, transactionId);
  if (transactionId === undefined) return <p className="socket-session socket-idle">{texts.charger.noSession}</p>;
  const start = session?.meterStart ?? undefined;
  const charged = energyWh === undefined || start === undefined ? undefined : energyWh - start;
  return (
    <dl className="socket-session">
      <div>
        <dt>{texts.charger.power}</dt>
        <dd>{powerW === undefined ? texts.common.none : powerOf(powerW)}</dd>
      </div>
      <div>
        <dt>{texts.charger.energy}</dt>
        <dd>{charged === undefined ? texts.common.none : energyOf(charged)}</dd>
      </div>
      <div>
        <dt>{texts.charger.duration}</dt>
        <dd>{session === undefined ? texts.common.none : <Since at={session.startTime} />}</dd>
      </div>
      <div>
        <dt>{texts.charger.tag}</dt>
        <dd className="cut" title={session?.rfidTag}>
          {session?.rfidTag ?? texts.common.none}
        </dd>
      </div>
    </dl>
  );
}

interface ActionsProps {
  readonly charger: Charger;
  readonly socket: Socket;
  readonly transactionId: number | undefined;
  readonly onCommand: (request: CommandRequest) => void;
}

function SocketActions({ charger, socket, transactionId, onCommand }: ActionsProps) {
  const socketId = socket.id;
  const { isConnected, reason, state } = useConnectionNeed(charger);
  return (
    <footer className="socket-actions">
      {transactionId === undefined ? (
        <Button size="s" {...state} onClick={() => onCommand({ key: 'start', fixed: { socketId } })}>
          {commandsTexts.start}
        </Button>
      ) : (
        <Button size="s" {...state} onClick={() => onCommand({ key: 'stop', fixed: { transactionId } })}>
          {commandsTexts.stop}
        </Button>
      )}
      <Button size="s" {...state} onClick={() => onCommand({ key: 'unlock', fixed: { socketId } })}>
        {commandsTexts.unlock}
      </Button>
      {!isConnected && (
        <p className="no-commands" id={reason}>
          {commandsTexts.needsConnection}
        </p>
      )}
      <Menu
        trigger={
          <IconButton {...state} label={texts.charger.moreOfSocket(socketId)}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => onCommand({ key: 'availability', fixed: { socketId, type: 'Operative' } })}>
          {commandsTexts.operative}
        </MenuItem>
        <MenuItem onSelect={() => onCommand({ key: 'availability', fixed: { socketId, type: 'Inoperative' } })}>
          {commandsTexts.inoperative}
        </MenuItem>
        <MenuItem onSelect={() => onCommand({ key: 'reserve', fixed: { socketId } })}>{commandsTexts.reserve}</MenuItem>
        <MenuItem onSelect={() => onCommand({ key: 'trigger', fixed: { socketId } })}>{commandsTexts.trigger}</MenuItem>
      </Menu>
    </footer>
  );
}
