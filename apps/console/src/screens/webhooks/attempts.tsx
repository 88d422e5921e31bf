// The attempts of a webhook, newest first, each with what the receiver answered.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { afterReading, countNew, type HeldList } from '../../model/held-list';
import { Breakable } from '../../parts/breakable';
import { Button } from '../../parts/button';
import { ChangeBar } from '../../parts/change-bar';
import { Choice } from '../../parts/choice';
import { DataTable, Pager, type Column } from '../../parts/data-table';
import { Empty, FailureNote, NothingFound } from '../../parts/notes';
import { DateTime, useIsAhead } from '../../parts/time';
import '../../parts/toolbar.css';
import { useIsScrolled } from '../../parts/use-is-scrolled';
import { webhooksTexts } from '../../texts/webhooks';
import { AttemptDrawer } from './attempt-drawer';
import { withNextAttempt } from './next-attempts';
import { SendAgain } from './send-again';
import { TestButton, TestOutcome, useTest } from './test-button';
import { OUTCOMES, PAGE_SIZE } from './webhooks-search';

type Delivery = Schemas['Delivery'];
const words = webhooksTexts;
const NONE: ReadonlySet<string> = new Set();

interface AttemptsProps {
  readonly webhook: Schemas['Webhook'];
  readonly mayWrite: boolean;
}

export function Attempts({ webhook, mayWrite }: AttemptsProps) {
  const { page = 1, outcome } = useSearch({ from: '/webhooks/$webhookId' });
  const navigate = useNavigate({ from: '/webhooks/$webhookId' });
  const [shown, setShown] = useState<Delivery>();
  const query = { page, limit: PAGE_SIZE, ...(outcome === undefined ? {} : { outcome }) };
  const reading = useQuery({
    queryKey: ['webhook', webhook.id, 'attempts', query],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/webhooks/{webhookId}/deliveries', {
          params: { path: { webhookId: webhook.id }, query },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 2_000,
  });
  const { error, refetch, isPlaceholderData } = reading;
  const {
    section,
    page: data,
    newer,
    show,
  } = useHeld(JSON.stringify(query), isPlaceholderData ? undefined : reading.data);
  const waiting = followedOf(webhook, data);
  // Not those of another page or outcome, which stay in sight while these are read.
  const hasFailed = reading.data === undefined && error !== null;
  const choose = (text: string) =>
    void navigate({ search: ({ parked }) => ({ parked, outcome: OUTCOMES.find((one) => one === text) }) });
  return (
    <section className="card" aria-labelledby="attempts" ref={section}>
      <div className="toolbar">
        <h2 id="attempts">{words.attempts}</h2>
        <span className="toolbar-end">
          <Choice
            label={words.outcome}
            value={outcome ?? ''}
            options={[['', words.anyOutcome], ...OUTCOMES.map((one) => [one, words.outcomes[one]] as const)]}
            onChange={choose}
          />
        </span>
      </div>
      <ChangeBar count={newer} text={words.newAttempts(newer)} onShow={show} />
      {hasFailed ? (
        <FailureNote title={words.attemptsFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        <List
          rows={data?.items}
          columns={columnsOf(webhook, {
            canSend: mayWrite && webhook.enabled,
            waiting,
            onShow: setShown,
          })}
          none={
            outcome === undefined ? (
              <NoAttempt webhookId={webhook.id} mayTest={mayWrite && webhook.enabled} />
            ) : (
              <NothingFound
                title={words.noSuchAttempts}
                filters={[`${words.outcome}: ${words.outcomes[outcome]}`]}
                onClear={() => choose('')}
              />
            )
          }
          isFaded={isPlaceholderData}
        />
      )}
      <Pager
        page={page}
        limit={PAGE_SIZE}
        list={hasFailed ? undefined : data}
        onPage={(next) => void navigate({ search: (was) => ({ ...was, page: next }) })}
      />
      <AttemptDrawer webhook={webhook} attempt={shown} waiting={waiting} onClose={() => setShown(undefined)} />
    </section>
  );
}

/**
 * The attempts as they are shown: they stay while the reader is at them, with the pointer or scrolled down to them. The
 * keyboard's focus moves with its row. `newer` counts those that wait. A page that is not read yet leaves the one before in its place.
 */
function useHeld(name: string, latest: Schemas['DeliveryPage'] | undefined) {
  const [shown, setShown] = useState<HeldList<Schemas['DeliveryPage']>>();
  const section = useRef<HTMLElement>(null);
  const [isPointed, setPointed] = useState(false);
  useEffect(() => {
    // Not by the section's own enter and leave: no leave follows where the element under the pointer is removed.
    const onOver = ({ target }: PointerEvent) =>
      setPointed(target instanceof Node && (section.current?.contains(target) ?? false));
    document.addEventListener('pointerover', onOver, { passive: true });
    return () => document.removeEventListener('pointerover', onOver);
  }, []);
  const isScrolled = useIsScrolled();
  const read = latest && { name, page: latest };
  const next = read === undefined ? shown : afterReading(shown, read, isPointed || isScrolled);
  if (next !== shown) setShown(next);
  return {
    section,
    page: next?.page,
    newer: next === undefined || latest === undefined ? 0 : countNew(next.page, latest),
    show: () => setShown(read),
  };
}

/** Ids of the attempts that say when the next one is, where one may follow. */
function followedOf({ waiting }: Schemas['Webhook'], page: Schemas['DeliveryPage'] | undefined): ReadonlySet<string> {
  return waiting === 0 || page === undefined ? NONE : withNextAttempt(page.items);
}

/** A test is the first attempt that there can be: its outcome stands in the list then. */
function NoAttempt({ webhookId, mayTest }: { readonly webhookId: string; readonly mayTest: boolean }) {
  const test = useTest(webhookId);
  return (
    <Empty title={words.noAttempts}>
      {mayTest && <TestButton test={test} />}
      <TestOutcome test={test} />
    </Empty>
  );
}

interface ListProps {
  readonly rows: readonly Delivery[] | undefined;
  readonly columns: readonly Column<Delivery>[];
  /** Stands where there is no attempt. */
  readonly none: ReactNode;
  readonly isFaded: boolean;
}

function List({ rows, columns, none, isFaded }: ListProps) {
  if (rows?.length === 0) return none;
  return <DataTable label={words.attempts} columns={columns} rows={rows} keyOf={({ id }) => id} isFaded={isFaded} />;
}

interface ColumnsOptions {
  readonly canSend: boolean;
  /** Ids of attempts that show when the next one is, until then. */
  readonly waiting: ReadonlySet<string>;
  readonly onShow: (delivery: Delivery) => void;
}

/** A test is no event of the feed, so it cannot be sent again. */
function columnsOf(
  webhook: Schemas['Webhook'],
  { canSend, waiting, onShow }: ColumnsOptions,
): readonly Column<Delivery>[] {
  return [
    { label: words.time, cell: ({ at }) => <DateTime at={at} isExact /> },
    {
      label: words.event,
      cell: ({ eventType, chargerId }) => <EventName type={eventType} chargerId={chargerId} />,
      below: 'alone',
    },
    {
      label: words.answer,
      cell: (delivery) => (
        <>
          <Answer delivery={delivery} isWaiting={waiting.has(delivery.id)} />
          {canSend && delivery.eventType !== 'webhook.test' && (
            <div>
              <SendAgain webhookId={webhook.id} eventIds={[delivery.eventId]} label={words.sendAgain} />
            </div>
          )}
        </>
      ),
    },
    { label: words.took, cell: ({ tookMs }) => words.ms(tookMs), isNumber: true, rank: 2 },
    { label: words.attempt, cell: ({ attempt }) => attempt, isNumber: true, rank: 3 },
    {
      label: words.request,
      cell: (delivery) => (
        <Button size="s" aria-label={words.showOf(delivery.eventId)} onClick={() => onShow(delivery)}>
          {words.show}
        </Button>
      ),
      isNumber: true,
      below: 'alone',
    },
  ];
}

export function EventName({ type, chargerId }: { readonly type: string; readonly chargerId: string | null }) {
  return (
    <>
      <code>
        <Breakable text={type} />
      </code>
      {chargerId !== null && (
        <div className="muted webhook-url">
          <Breakable text={chargerId} />
        </div>
      )}
    </>
  );
}

function Answer({ delivery, isWaiting }: { readonly delivery: Delivery; readonly isWaiting: boolean }) {
  const { outcome, httpStatus, error, responseBody, nextAttemptAt } = delivery;
  return (
    <>
      <span className={outcome === 'delivered' ? 'webhook-active' : 'webhook-failing'}>{words.outcomes[outcome]}</span>{' '}
      {httpStatus ?? error}
      {responseBody !== '' && <div className="muted webhook-url">{responseBody.slice(0, 200)}</div>}
      {isWaiting && nextAttemptAt !== null && <NextAttempt at={nextAttemptAt} />}
    </>
  );
}

/** By itself, so that the passing of time does not draw the list. */
function NextAttempt({ at }: { readonly at: string }) {
  if (!useIsAhead(at)) return null;
  return (
    <div className="muted webhook-url">
      {words.nextAttempt} <DateTime at={at} />
    </div>
  );
}
