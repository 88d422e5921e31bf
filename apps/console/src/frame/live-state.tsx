import { useQuery } from '@tanstack/react-query';
import { useFeedStatus } from '../live/live';
import { useAnnounced } from '../parts/announcer';
import { texts } from '../texts';
import { sessionQuery } from './query-client';

/** An event that arrives later than this is worth a word. */
const BEHIND_MS = 3_000;

/** In the head: whether what is shown follows the chargers. */
export function LiveState() {
  const status = useFeedStatus();
  const isSilent = useIsSilent();
  const hasStream = status !== null && status.state !== 'refused' && status.state !== 'idle';
  const isLost = hasStream ? status.state === 'lost' : isSilent;
  useAnnounced(isLost ? texts.live.lost : undefined);
  if (isLost) return <Shown tone="bad" text={texts.live.lost} short={texts.live.lostShort} />;
  if (!hasStream) return null;
  if (status.state === 'connecting') return <Shown tone="idle" text={texts.live.connecting} />;
  if (status.lagMs > BEHIND_MS) return <Shown tone="wait" text={texts.live.behind(Math.round(status.lagMs / 1_000))} />;
  return <Shown tone="good" text={texts.live.live} />;
}

/** Whether the service did not respond to the last checks of the session: for screens that hold no stream. */
function useIsSilent(): boolean {
  const { isError, failureCount } = useQuery(sessionQuery);
  // A single check may fail while the service restarts.
  return isError || failureCount > 1;
}

function Shown({
  tone,
  text,
  short = text,
}: {
  readonly tone: string;
  readonly text: string;
  readonly short?: string;
}) {
  return (
    <span className={`live-state tone-${tone}`} data-live={tone} title={text}>
      <span className={tone === 'bad' ? 'state-dot live-pulse' : 'state-dot'} aria-hidden />
      <span className="cut">{short}</span>
    </span>
  );
}
