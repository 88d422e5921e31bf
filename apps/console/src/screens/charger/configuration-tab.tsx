// The configuration keys of a charger: as stored, or asked for now.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useCallback, useState, type ReactNode, type SubmitEvent } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { DataTable, type Column } from '../../parts/data-table';
import { Dialog, DialogActions } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { textOf } from '../../parts/form';
import { Empty, FailureNote } from '../../parts/notes';
import { SearchField } from '../../parts/search-field';
import { DateTime } from '../../parts/time';
import '../../parts/toolbar.css';
import { texts } from '../../texts';
import { configurationTexts } from '../../texts/configuration';
import { outcomeOfStatus } from './commands/outcome';
import { OutcomeNote } from './commands/outcome-note';
import { useChargerSearch } from './use-charger-search';

type Item = Schemas['ConfigurationItem'];

export function ConfigurationTab({ chargerId }: { readonly chargerId: string }) {
  const client = useQueryClient();
  const mayOperate = useMay('chargers:operate');
  const [changing, setChanging] = useState<Item>();
  const key = ['configuration', chargerId];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readItems(chargerId, false, signal),
  });
  const ask = useMutation({
    mutationFn: () => readItems(chargerId, true),
    onSuccess: (fresh) => client.setQueryData(key, fresh),
  });
  if (data === undefined && error !== null) {
    return <FailureNote title={configurationTexts.failed} error={error} onRetry={() => void refetch()} />;
  }
  const askButton = mayOperate && (
    <Button icon={<RotateCw />} busy={ask.isPending} onClick={() => ask.mutate()}>
      {configurationTexts.ask}
    </Button>
  );
  return (
    <div className="card">
      {ask.isError && <FailureNote title={configurationTexts.askFailed} error={ask.error} />}
      {data?.length === 0 ? (
        <Empty title={configurationTexts.empty}>
          <p>{configurationTexts.emptyText}</p>
          {askButton}
        </Empty>
      ) : (
        <Items items={data} askButton={askButton} onChange={mayOperate ? setChanging : undefined} />
      )}
      <Dialog open={changing !== undefined} onClose={() => setChanging(undefined)} title={changing?.configName ?? ''}>
        {changing !== undefined && (
          <Change
            chargerId={chargerId}
            item={changing}
            onClose={() => setChanging(undefined)}
            onChanged={() => void refetch()}
          />
        )}
      </Dialog>
    </div>
  );
}

async function readItems(chargerId: string, refresh: boolean, signal?: AbortSignal): Promise<readonly Item[]> {
  const { chargerConfigurations } = await dataOf(
    api.GET('/v2/chargers/{chargerId}/configuration', {
      params: { path: { chargerId }, query: refresh ? { refresh: true } : {} },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
  return chargerConfigurations;
}

interface ItemsProps {
  readonly items: readonly Item[] | undefined;
  readonly askButton: ReactNode;
  readonly onChange: ((item: Item) => void) | undefined;
}

function Items({ items, askButton, onChange }: ItemsProps) {
  const {
    search: { filter: text },
    change,
  } = useChargerSearch();
  const setText = useCallback((filter: string | undefined) => change({ filter }), [change]);
  const wanted = text?.toLowerCase() ?? '';
  const rows = items?.filter(({ configName }) => configName.toLowerCase().includes(wanted));
  return (
    <>
      <div className="toolbar">
        <SearchField label={configurationTexts.filter} value={text} onChange={setText} />
        <span className="toolbar-end">{askButton}</span>
      </div>
      {rows?.length === 0 && text !== undefined ? (
        <Empty title={configurationTexts.nothing(text)}>
          <Button onClick={() => setText(undefined)}>{texts.common.clearFilters}</Button>
        </Empty>
      ) : (
        <DataTable
          label={texts.charger.tabs.configuration}
          columns={columnsOf(onChange)}
          rows={rows}
          keyOf={({ configName }) => configName}
        />
      )}
    </>
  );
}

function columnsOf(onChange: ((item: Item) => void) | undefined): readonly Column<Item>[] {
  return [
    { label: configurationTexts.key, cell: ({ configName }) => <code className="breaks">{configName}</code> },
    {
      label: configurationTexts.value,
      cell: ({ configValue }) => <span className="breaks">{configValue || texts.common.none}</span>,
    },
    {
      label: configurationTexts.changedAt,
      rank: 2,
      cell: ({ changedAt }) =>
        changedAt === null ? <span className="muted">{texts.common.none}</span> : <DateTime at={changedAt} />,
    },
    {
      label: configurationTexts.access,
      isNumber: true,
      cell: (item) => {
        if (!item.canBeChanged) return <span className="muted">{configurationTexts.readOnly}</span>;
        if (onChange === undefined) return configurationTexts.writable;
        return (
          <button
            type="button"
            className="link-button"
            aria-label={configurationTexts.changeKey(item.configName)}
            onClick={() => onChange(item)}
          >
            {configurationTexts.change}
          </button>
        );
      },
    },
  ];
}

interface ChangeProps {
  readonly chargerId: string;
  readonly item: Item;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function Change({ chargerId, item, onClose, onChanged }: ChangeProps) {
  const change = useMutation({
    mutationFn: (configValue: string) =>
      dataOf(
        api.PATCH('/v2/chargers/{chargerId}/configuration', {
          params: { path: { chargerId } },
          body: { configName: item.configName, configValue },
        }),
      ),
    onSuccess: onChanged,
  });
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    change.mutate(textOf(new FormData(event.currentTarget), 'value'));
  }
  const outcome = change.data === undefined ? undefined : outcomeOfStatus(change.data.status);
  return (
    <form className="stack" onSubmit={submit}>
      {change.isError && <FailureNote title={configurationTexts.changeFailed} error={change.error} />}
      {outcome !== undefined && <OutcomeNote outcome={outcome} />}
      <TextField
        label={configurationTexts.value}
        name="value"
        defaultValue={item.configValue}
        maxLength={500}
        autoFocus
      />
      <DialogActions>
        <Button onClick={onClose}>{outcome === undefined ? texts.common.cancel : texts.common.close}</Button>
        <Button kind="primary" type="submit" busy={change.isPending}>
          {configurationTexts.send}
        </Button>
      </DialogActions>
    </form>
  );
}
