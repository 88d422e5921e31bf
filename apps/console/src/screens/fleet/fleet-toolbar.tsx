import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../../parts/button';
import { Choice } from '../../parts/choice';
import { lazyPart } from '../../parts/lazy-part';
import { SearchField } from '../../parts/search-field';
import { isState } from '../../parts/states';
import '../../parts/toolbar.css';
import { useWasOpen } from '../../parts/use-was-open';
import { texts } from '../../texts';
import { CONNECTION_OPTIONS, STATE_OPTIONS } from './filter-options';
import { filtersOf, isFiltered, NO_FILTERS, ORDERS, type FleetSearch } from './fleet-search';

const FilterDialog = lazyPart(() => import('./filter-dialog'), 'FilterDialog');

interface ToolbarProps {
  readonly search: FleetSearch;
  readonly setSearch: (change: Partial<FleetSearch>) => void;
  readonly total: number | undefined;
}

export function FleetToolbar({ search, setSearch, total }: ToolbarProps) {
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useWasOpen(isOpen);
  const count = Object.entries(filtersOf(search)).filter(
    ([name, value]) => name !== 'search' && value !== undefined,
  ).length;
  return (
    <div className="toolbar">
      <SearchField
        label={texts.fleet.search}
        value={search.search}
        onChange={(value) => setSearch({ search: value })}
      />
      <Choice
        label={texts.fleet.state}
        value={search.state ?? ''}
        options={STATE_OPTIONS}
        onChange={(value) => setSearch({ state: isState(value) ? value : undefined })}
      />
      <Choice
        label={texts.fleet.connection}
        value={search.connected === undefined ? '' : String(search.connected)}
        options={CONNECTION_OPTIONS}
        onChange={(value) => setSearch({ connected: value === '' ? undefined : value === 'true' })}
      />
      <Button icon={<SlidersHorizontal />} onClick={() => setOpen(true)}>
        {texts.fleet.filters}
        {count > 0 && <span className="count-badge">{count}</span>}
      </Button>
      {isFiltered(search) && (
        <Button kind="quiet" onClick={() => setSearch(NO_FILTERS)}>
          {texts.common.clearFilters}
        </Button>
      )}
      <span className="toolbar-end">
        <span className="muted nowrap">{total !== undefined && texts.fleet.count(total)}</span>
        <Choice
          label={texts.fleet.order}
          value={search.order ?? 'chargerId'}
          options={ORDERS.map((order) => [order, texts.fleet.orders[order]] as const)}
          onChange={(value) => setSearch({ order: ORDERS.find((order) => order === value && order !== 'chargerId') })}
        />
      </span>
      {wasOpen && (
        <Suspense>
          <FilterDialog open={isOpen} onClose={() => setOpen(false)} search={search} setSearch={setSearch} />
        </Suspense>
      )}
    </div>
  );
}
