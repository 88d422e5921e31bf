// The first screen: figures of the network, and the list of chargers.
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { lazyPart } from '../../parts/lazy-part';
import { useWasOpen } from '../../parts/use-was-open';
import { useTitle } from '../../parts/use-title';
import { texts } from '../../texts';
import { CsvDownload } from './csv-download';
import { Figures } from './figures';
import { FirstSteps } from './first-steps';
import { FleetList } from './fleet-list';
import './fleet.css';
import { isFiltered, type FleetSearch } from './fleet-search';
import { useFleetSearch } from './use-fleet-search';
import { useStatistics } from './use-statistics';

const NewCharger = lazyPart(() => import('../../records/new-charger'), 'NewCharger');

export function FleetScreen() {
  useTitle(texts.fleet.title);
  const [search, setSearch] = useFleetSearch();
  const [isAdding, setAdding] = useState(false);
  const wasAdding = useWasOpen(isAdding);
  const statistics = useStatistics();
  const mayAdd = useMay('chargers:write');
  const isEmpty = statistics.data?.chargers === 0 && !isFiltered(search);
  return (
    <>
      <header className="screen-head">
        <h1>{texts.fleet.title}</h1>
        <div className="screen-actions">
          {!isEmpty && <CsvDownload search={search} />}
          {mayAdd && !isEmpty && (
            <Button kind="primary" icon={<Plus />} onClick={() => setAdding(true)}>
              {texts.fleet.newCharger}
            </Button>
          )}
        </div>
      </header>
      {isEmpty ? (
        <FirstSteps
          hasSite={(statistics.data?.sites ?? 0) > 0}
          onRegister={mayAdd ? () => setAdding(true) : undefined}
        />
      ) : (
        <Filled search={search} setSearch={setSearch} statistics={statistics} />
      )}
      {wasAdding && (
        <Suspense>
          <NewCharger open={isAdding} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  );
}

interface FilledProps {
  readonly search: FleetSearch;
  readonly setSearch: (change: Partial<FleetSearch>) => void;
  readonly statistics: ReturnType<typeof useStatistics>;
}

function Filled({ search, setSearch, statistics }: FilledProps) {
  return (
    <>
      <Figures statistics={statistics} onState={(state) => setSearch({ state })} />
      <FleetList search={search} setSearch={setSearch} chargers={statistics.data?.chargers} />
    </>
  );
}
