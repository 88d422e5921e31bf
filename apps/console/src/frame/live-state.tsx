import { useEffect } from 'react';
import { useFeedStatus } from '../live/live';
import { useAnnounce } from '../parts/announcer';
import { texts } from '../texts';

/** An event that arrives later than this is worth a word. */
const BEHIND_MS = 3_000;

/** In the head: whether what is shown follows the chargers. */
export function LiveState() {
  const status = useFeedStatus();
  const announce = useAnnounce();
  const isLost = status?.state === 'lost';
  useEffect(() => {
    if (isLost) announce(texts.live.lost);
  }, [isLost, announce]);
  if (status === null || status.state === 'refused' || status.state === 'idle') return null;
  if (status.state === 'lost') return <Shown tone="bad" text={texts.live.lost} short={texts.live.lostShort} />;
  if (status.state === 'connecting') return <Shown tone="idle" text={texts.live.connecting} />;
  if (status.lagMs > BEHIND_MS) return <Shown tone="wait" text={texts.live.behind(Math.round(status.lagMs / 1_000))} />;
  return <Shown tone="good" text={texts.live.live} />;
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
