// The filters of sessions that have no place in the toolbar: a dialog, those that apply, each with a button that removes it, and what
// they leave where it is nothing.
import { SlidersHorizontal } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { MAX_TAG } from '../../api/limits';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { Dialog, DialogActions } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { textOf } from '../../parts/form';
import { Empty, NothingFound } from '../../parts/notes';
import { Removable } from '../../parts/removable';
import { SiteField } from '../../records/site-field';
import { useSitePath } from '../../records/sites';
import { texts } from '../../texts';
import { sessionsTexts } from '../../texts/sessions';
import { sessionFiltersTexts as words } from '../../texts/session-filters';
import './session-filters.css';
import { isFiltered, parseSessionsSearch, type SessionsSearch } from './sessions-search';

interface FiltersProps {
  readonly search: SessionsSearch;
  readonly onChange: (change: Partial<SessionsSearch>) => void;
}

export function FiltersButton({ search, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const maySeeSites = useMay('sites:read');
  function apply(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => textOf(form, name).trim();
    const site = text('site');
    const { charger, tag, from, to } = parseSessionsSearch({
      charger: text('charger'),
      tag: text('tag'),
      from: text('from'),
      to: text('to'),
    });
    const period = from === undefined && to === undefined ? search.period : undefined;
    onChange({
      ...(maySeeSites ? { site: site === '' ? undefined : Number(site) } : {}),
      charger,
      tag,
      from,
      to,
      period,
    });
    setOpen(false);
  }
  return (
    <>
      <Button icon={<SlidersHorizontal />} onClick={() => setOpen(true)}>
        {words.filters}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={words.filters}>
        <form className="stack" onSubmit={apply}>
          {maySeeSites && (
            <SiteField label={words.site} name="site" value={String(search.site ?? '')} none={words.anySite} />
          )}
          <TextField
            label={words.charger}
            hint={words.exactly}
            name="charger"
            maxLength={48}
            defaultValue={search.charger}
          />
          <TextField label={words.tag} hint={words.exactly} name="tag" maxLength={MAX_TAG} defaultValue={search.tag} />
          <TextField label={words.from} name="from" type="date" defaultValue={search.from} />
          <TextField label={words.to} hint={words.toHint} name="to" type="date" defaultValue={search.to} />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{texts.common.cancel}</Button>
            <Button kind="primary" type="submit">
              {words.apply}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
}

/** The filters that the toolbar does not show, with what removes each. */
function useChosenFilters({ site, charger, tag, from, to }: SessionsSearch) {
  const siteName = useSitePath(site);
  const all = [
    { label: `${words.site}: ${siteName}`, value: site, without: { site: undefined } },
    { label: `${words.charger}: ${charger ?? ''}`, value: charger, without: { charger: undefined } },
    { label: `${words.tag}: ${tag ?? ''}`, value: tag, without: { tag: undefined } },
    { label: `${words.from}: ${from ?? ''}`, value: from, without: { from: undefined } },
    { label: `${words.to}: ${to ?? ''}`, value: to, without: { to: undefined } },
  ];
  return all.filter(({ value }) => value !== undefined);
}

/** So that a list is never filtered without a word. */
export function ChosenFilters({ search, onChange }: FiltersProps) {
  const chosen = useChosenFilters(search);
  if (chosen.length === 0) return null;
  return (
    <ul className="removables chosen-filters" aria-label={words.chosen}>
      {chosen.map(({ label, without }) => (
        <Removable key={label} label={label} action={words.remove(label)} onRemove={() => onChange(without)} />
      ))}
    </ul>
  );
}

export function NoSession({ search, onClear }: { readonly search: SessionsSearch; readonly onClear: () => void }) {
  const chosen = useChosenFilters(search);
  const { search: text, state, period } = search;
  if (!isFiltered(search)) {
    return (
      <Empty title={sessionsTexts.empty}>
        <p>{sessionsTexts.emptyText}</p>
      </Empty>
    );
  }
  const filters = [
    text !== undefined && `“${text}”`,
    state !== undefined && `${sessionsTexts.state}: ${sessionsTexts.states[state]}`,
    period !== undefined && `${sessionsTexts.period}: ${sessionsTexts.periods[period]}`,
    ...chosen.map(({ label }) => label),
  ];
  return <NothingFound title={sessionsTexts.nothing} filters={filters} onClear={onClear} />;
}
