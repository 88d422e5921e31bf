// All filters of the list in one dialog: on a narrow screen the only place for most of them.
import type { SubmitEvent } from 'react';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { Dialog, DialogActions } from '../../parts/dialog';
import { SelectField, TextField } from '../../parts/field';
import { ocppVersionOf } from '../../parts/format';
import { SiteField } from '../../records/site-field';
import { texts } from '../../texts';
import { CONNECTION_OPTIONS, STATE_OPTIONS, type Options } from './filter-options';
import { NO_FILTERS, parseFleetSearch, VERSIONS, type FleetSearch } from './fleet-search';

const VERSION_OPTIONS: Options = [
  ['', texts.fleet.anyVersion],
  ...VERSIONS.map((version) => [version, ocppVersionOf(version)] as const),
];

interface FilterDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly search: FleetSearch;
  readonly setSearch: (change: Partial<FleetSearch>) => void;
}

export function FilterDialog({ open, onClose, search, setSearch }: FilterDialogProps) {
  const maySeeSites = useMay('sites:read');
  function apply(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.currentTarget));
    const site = form['site'];
    const connected = form['connected'];
    const chosen = parseFleetSearch({
      ...form,
      site: typeof site === 'string' && site !== '' ? Number(site) : undefined,
      connected: connected === '' ? undefined : connected === 'true',
    });
    setSearch({ ...NO_FILTERS, search: search.search, ...chosen });
    onClose();
  }
  return (
    <Dialog open={open} onClose={onClose} title={texts.fleet.filters}>
      <form className="stack" onSubmit={apply}>
        <Select label={texts.fleet.state} name="state" value={search.state} options={STATE_OPTIONS} />
        <Select label={texts.fleet.connection} name="connected" value={search.connected} options={CONNECTION_OPTIONS} />
        {maySeeSites && (
          <SiteField
            label={texts.fleet.site}
            name="site"
            value={String(search.site ?? '')}
            none={texts.fleet.anySite}
          />
        )}
        <Select label={texts.fleet.version} name="version" value={search.version} options={VERSION_OPTIONS} />
        <TextField
          label={texts.fleet.manufacturer}
          hint={texts.fleet.exactly}
          name="manufacturer"
          maxLength={100}
          defaultValue={search.manufacturer}
        />
        <TextField
          label={texts.fleet.model}
          hint={texts.fleet.exactly}
          name="model"
          maxLength={100}
          defaultValue={search.model}
        />
        <DialogActions>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button kind="primary" type="submit">
            {texts.fleet.apply}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface SelectProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | number | boolean | undefined;
  readonly options: Options;
}

function Select({ label, name, value, options }: SelectProps) {
  return (
    <SelectField label={label} name={name} defaultValue={value === undefined ? '' : String(value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
