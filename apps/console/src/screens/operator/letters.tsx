// The dead letters that are loaded: by reason, marked, shown, replayed, dropped.
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { Choice } from '../../parts/choice';
import { Confirm } from '../../parts/confirm';
import { DataTable, type Column } from '../../parts/data-table';
import { Dialog } from '../../parts/dialog';
import { Json, visibleOf } from '../../parts/json';
import { NothingFound } from '../../parts/notes';
import { DateTime } from '../../parts/time';
import '../../parts/toolbar.css';
import { deadLettersTexts as words } from '../../texts/operator';
import { countReasons, parseDeadLettersSearch } from './dead-letters-search';
import { dropLetters, eachOfReason, replayLetters } from './letter-actions';

type Letter = Schemas['DeadLetter'];

/** What is asked before it is done. `ids`: undefined means all of the reason. */
interface Intent {
  readonly kind: 'replay' | 'drop';
  readonly ids: readonly string[] | undefined;
}

const ALL = '';

interface LettersProps {
  readonly letters: readonly Letter[] | undefined;
  /** Whether no older ones are left to load. */
  readonly areAll: boolean;
}

export function Letters({ letters, areAll }: LettersProps) {
  const { reason } = useSearch({ from: '/operator/dead-letters' });
  const navigate = useNavigate({ from: '/operator/dead-letters' });
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [intent, setIntent] = useState<Intent>();
  const [shown, setShown] = useState<Letter>();
  const mayOpenChargers = useMay('chargers:read');
  const rows = reason === undefined ? letters : letters?.filter((letter) => letter.reason === reason);
  const chosen = rows?.filter(({ id }) => marked.has(id)).map(({ id }) => id) ?? [];
  function mark(id: string): void {
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    setMarked(next);
  }
  const columns = columnsOf({ marked, mayOpenChargers, onMark: mark, onShow: setShown, onIntent: setIntent });
  return (
    <>
      <Toolbar letters={letters ?? []} areAll={areAll} chosen={chosen} reason={reason} onIntent={setIntent} />
      {rows?.length === 0 ? (
        <NothingFound
          title={words.nothingFound}
          filters={[`${words.reason}: ${visibleOf(reason ?? '')}`]}
          onClear={() => void navigate({ search: ({ pages }) => ({ pages }), replace: true })}
        />
      ) : (
        <DataTable label={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <Dialog open={shown !== undefined} onClose={() => setShown(undefined)} title={words.frame} kind="drawer">
        {shown !== undefined && <Json value={parsed(shown.frame)} />}
      </Dialog>
      <Question
        intent={intent}
        reason={reason ?? ''}
        onClose={() => setIntent(undefined)}
        onDone={() => setMarked(new Set())}
      />
    </>
  );
}

interface ToolbarProps {
  readonly letters: readonly Letter[];
  readonly areAll: boolean;
  readonly chosen: readonly string[];
  readonly reason: string | undefined;
  readonly onIntent: (intent: Intent) => void;
}

function Toolbar({ letters, areAll, chosen, reason, onIntent }: ToolbarProps) {
  const navigate = useNavigate({ from: '/operator/dead-letters' });
  const counted = countReasons(letters).map(([one, count]) => [one, words.reasonOf(one, count, areAll)] as const);
  // One that nothing has any more stays chosen until the reader changes it.
  const isListed = reason === undefined || counted.some(([one]) => one === reason);
  return (
    <div className="toolbar">
      <Choice
        label={words.reason}
        value={reason ?? ALL}
        options={[[ALL, words.allReasons], ...counted, ...(isListed ? [] : [[reason, reason] as const])]}
        onChange={(value) =>
          void navigate({ search: ({ pages }) => parseDeadLettersSearch({ reason: value, pages }), replace: true })
        }
      />
      <span className="toolbar-end">
        {chosen.length > 0 && (
          <>
            <Button size="s" onClick={() => onIntent({ kind: 'replay', ids: chosen })}>
              {words.replayMarked(chosen.length)}
            </Button>
            <Button size="s" kind="danger" onClick={() => onIntent({ kind: 'drop', ids: chosen })}>
              {words.dropMarked(chosen.length)}
            </Button>
          </>
        )}
        {reason !== undefined && (
          <>
            <Button size="s" onClick={() => onIntent({ kind: 'replay', ids: undefined })}>
              {words.replayReason}
            </Button>
            <Button size="s" kind="danger" onClick={() => onIntent({ kind: 'drop', ids: undefined })}>
              {words.dropReason}
            </Button>
          </>
        )}
      </span>
    </div>
  );
}

interface QuestionProps {
  readonly intent: Intent | undefined;
  readonly reason: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Question({ intent, reason, onClose, onDone }: QuestionProps) {
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const running = useRef<AbortController>(undefined);
  function close(): void {
    running.current?.abort();
    onClose();
  }
  async function confirm({ kind, ids }: Intent): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    const progress = { signal: controller.signal, onDone: setDone };
    try {
      const work = kind === 'replay' ? replayLetters : dropLetters;
      await (ids === undefined ? eachOfReason(reason, work, progress) : work(ids, progress));
      onDone();
    } finally {
      setDone(0);
      // Also after a failure: some are done.
      await client.invalidateQueries({ queryKey: ['dead-letters'] });
    }
  }
  const { title, text, action, failed } = questionOf(intent, reason);
  return (
    <Confirm
      open={intent !== undefined}
      onClose={close}
      title={title}
      failed={failed}
      action={action}
      onConfirm={() => (intent === undefined ? Promise.resolve() : confirm(intent))}
    >
      {text}
      {done > 0 && <span className="letters-done">{words.done(done)}</span>}
    </Confirm>
  );
}

function questionOf({ kind, ids }: Partial<Intent> = {}, reason: string) {
  const count = ids?.length ?? 0;
  if (kind === 'replay') {
    const { replay: action, replayFailed: failed, replayText: text } = words;
    if (ids === undefined) return { title: words.replayReason, text: words.replayReasonText(reason), action, failed };
    return { title: words.replayTitle(count), text, action, failed };
  }
  const { drop: action, dropFailed: failed } = words;
  if (ids === undefined) return { title: words.dropReason, text: words.dropReasonText(reason), action, failed };
  return { title: words.dropTitle(count), text: words.dropText, action, failed };
}

interface ColumnsInput {
  readonly marked: ReadonlySet<string>;
  /** Of this client: the chargers of others are not found. */
  readonly mayOpenChargers: boolean;
  readonly onMark: (id: string) => void;
  readonly onShow: (letter: Letter) => void;
  readonly onIntent: (intent: Intent) => void;
}

function columnsOf({ marked, mayOpenChargers, onMark, onShow, onIntent }: ColumnsInput): readonly Column<Letter>[] {
  return [
    {
      label: words.mark,
      cell: ({ id }) => (
        <input type="checkbox" aria-label={words.markOf(id)} checked={marked.has(id)} onChange={() => onMark(id)} />
      ),
    },
    { label: words.time, cell: ({ at }) => <DateTime at={at} />, rank: 2 },
    { label: words.charger, cell: ({ chargerId }) => <Charger chargerId={chargerId} isLink={mayOpenChargers} /> },
    { label: words.action, cell: ({ action }) => action, rank: 2 },
    { label: words.reason, cell: ({ reason }) => <span className="letter-reason">{visibleOf(reason)}</span> },
    {
      label: words.frame,
      rank: 3,
      cell: (letter) =>
        letter.frame === '' ? (
          <span className="muted">{words.noFrame}</span>
        ) : (
          <Button size="s" aria-label={words.showOf(letter.id)} onClick={() => onShow(letter)}>
            {words.show}
          </Button>
        ),
    },
    {
      label: words.actions,
      isNumber: true,
      cell: ({ id }) => (
        <span className="letter-actions">
          <Button size="s" aria-label={words.replayOf(id)} onClick={() => onIntent({ kind: 'replay', ids: [id] })}>
            {words.replay}
          </Button>
          <Button
            size="s"
            kind="danger"
            aria-label={words.dropOf(id)}
            onClick={() => onIntent({ kind: 'drop', ids: [id] })}
          >
            {words.drop}
          </Button>
        </span>
      ),
    },
  ];
}

function Charger({ chargerId, isLink }: { readonly chargerId: string; readonly isLink: boolean }) {
  if (chargerId === '') return <span className="muted">{words.unreadable}</span>;
  if (!isLink) return <>{chargerId}</>;
  return (
    <Link to="/chargers/$chargerId" params={{ chargerId }}>
      {chargerId}
    </Link>
  );
}

/** Formatted where it is JSON; as it came where it is not, or was cut. */
function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame) as unknown;
  } catch {
    return frame;
  }
}
