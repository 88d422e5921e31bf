import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, dataOf } from '../../../api/client';
import { isFailure } from '../../../api/problem';
import { serviceClock } from '../../../api/service-clock';
import { useMay } from '../../../api/use-session';
import { useAnnounced } from '../../../parts/announcer';
import { Button } from '../../../parts/button';
import { DialogActions } from '../../../parts/dialog';
import { Json } from '../../../parts/json';
import { useNow } from '../../../parts/time';
import { texts } from '../../../texts';
import { commandsTexts } from '../../../texts/commands';
import type { Charger } from '../use-charger';
import { outcomeOfFailure, outcomeOfStatus, type Outcome } from './outcome';
import { OutcomeNote } from './outcome-note';
import type { ChargerAnswer } from './send-command';
import { useConnectionNeed } from './use-connection-need';

/** A charger that answers sooner is not announced as awaited. */
const ANNOUNCED_AFTER_S = 2;

/** While the charger has not answered. The seconds are not read aloud. */
export function Waiting({ sent }: { readonly sent: Readonly<Record<string, unknown>> }) {
  const [startedAt] = useState(() => serviceClock.now());
  const seconds = Math.max(0, Math.floor((useNow() - startedAt) / 1_000));
  useAnnounced(seconds >= ANNOUNCED_AFTER_S ? commandsTexts.awaited : undefined);
  return (
    <div className="stack">
      <p className="command-waiting">
        <span className="spinner" aria-hidden />
        {commandsTexts.waiting(seconds)}
      </p>
      <Sent sent={sent} />
    </div>
  );
}

/** Why nothing can be sent now; it goes as soon as the charger connects. */
export function NotConnected({ id }: { readonly id: string }) {
  return (
    <p className="command-offline" id={id}>
      {commandsTexts.offlineHint}
    </p>
  );
}

interface ResultProps {
  readonly charger: Charger;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly outcome: { readonly answer: unknown; readonly tookMs: number };
  readonly onAgain: () => void;
  readonly onNew: () => void;
  readonly onClose: () => void;
}

export function CommandResult({ charger, sent, outcome: { answer, tookMs }, onAgain, onNew, onClose }: ResultProps) {
  const { chargerId } = charger;
  const { isConnected, reason, state } = useConnectionNeed(charger);
  const { meaning, commandId, requestId } = readOutcome(answer);
  return (
    <div className="stack">
      <OutcomeNote outcome={meaning}>
        {isFailure(answer) && <p className="outcome-detail">{answer.message}</p>}
        <p className="outcome-detail">
          {commandsTexts.took(tookMs)}
          {requestId !== undefined && (
            <>
              {' · '}
              {texts.common.requestId} <code>{requestId}</code>
            </>
          )}
        </p>
      </OutcomeNote>
      {isAnswer(answer) && (
        <section>
          <h3>{commandsTexts.answer}</h3>
          <Json value={answer.answer} />
        </section>
      )}
      <Sent sent={sent} />
      {commandId !== undefined && commandId !== '' && <Frames chargerId={chargerId} commandId={commandId} />}
      {!isConnected && <NotConnected id={reason} />}
      <DialogActions>
        <Button onClick={onNew}>{commandsTexts.change}</Button>
        <Button {...state} onClick={onAgain}>
          {commandsTexts.again}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {texts.common.close}
        </Button>
      </DialogActions>
    </div>
  );
}

function readOutcome(answer: unknown): {
  readonly meaning: Outcome;
  readonly commandId: string | undefined;
  readonly requestId: string | undefined;
} {
  if (isAnswer(answer)) {
    return { meaning: outcomeOfStatus(answer.status), commandId: answer.commandId, requestId: undefined };
  }
  const failure = isFailure(answer) ? answer : undefined;
  return {
    meaning: outcomeOfFailure(failure ?? { code: 'internal', status: 0 }),
    commandId: failure?.problem?.commandId,
    requestId: failure?.requestId,
  };
}

function isAnswer(answer: unknown): answer is ChargerAnswer {
  return typeof answer === 'object' && answer !== null && 'answer' in answer;
}

function Sent({ sent }: { readonly sent: Readonly<Record<string, unknown>> }) {
  if (Object.keys(sent).length === 0) return null;
  return (
    <section>
      <h3>{commandsTexts.sent}</h3>
      <Json value={sent} />
    </section>
  );
}

/** A command causes one, or a few where the charger takes less in one message. */
const MAX_FRAMES = 50;
const EACH_MS = 1_000;
/** A busy service stores them later than usual. */
const MAX_READS = 10;

/** The frames of the command, out of the log: stored about a second later. */
function Frames({ chargerId, commandId }: { readonly chargerId: string; readonly commandId: string }) {
  const maySee = useMay('logs:read');
  const reads = useRef(0);
  const wasFound = useRef(false);
  const { data } = useQuery({
    queryKey: ['command-frames', commandId],
    async queryFn({ signal }) {
      reads.current += 1;
      const query = { commandId, includeHeartbeats: true, limit: MAX_FRAMES };
      const { items } = await dataOf(
        api.GET('/v2/chargers/{chargerId}/ocpp-logs', { params: { path: { chargerId }, query }, signal }),
      );
      // Those of a command of several messages are not stored together: they are read once more after the first one is found.
      const isLast = wasFound.current || reads.current >= MAX_READS;
      wasFound.current = items.length > 0;
      return { items, isLast };
    },
    enabled: maySee,
    refetchInterval: ({ state }) => (state.data?.isLast === true || reads.current >= MAX_READS ? false : EACH_MS),
  });
  if (data === undefined || (data.items.length === 0 && !data.isLast)) return null;
  return (
    <section>
      <h3>{commandsTexts.frames}</h3>
      {data.items.length === 0 && <p className="muted">{commandsTexts.noFrames}</p>}
      {data.items.map((item) => (
        <div key={item.messageId} className="stack-s">
          <p className="frame-caption">{commandsTexts.toCharger(item.messageType)}</p>
          <Json value={item.request} />
          {item.responseTimestamp !== null && (
            <>
              <p className="frame-caption">{commandsTexts.fromCharger}</p>
              <Json value={item.response} />
            </>
          )}
        </div>
      ))}
    </section>
  );
}
