// What the owner registered of a charger: its fields, sockets and authentication; change and delete.
import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { api, dataOf } from '../../../api/client';
import { useMay } from '../../../api/use-session';
import { Button } from '../../../parts/button';
import { Fact } from '../../../parts/card';
import { FailureNote } from '../../../parts/notes';
import { DateTime } from '../../../parts/time';
import { RecordDialog } from '../../../records/record-dialog';
import { shownOf, valuesOf, type RecordField } from '../../../records/record-fields';
import { useSites } from '../../../records/sites';
import { texts } from '../../../texts';
import { registrationTexts } from '../../../texts/registration';
import { recordsTexts } from '../../../texts/records';
import { chargerKey } from '../../../records/charger-keys';
import type { Charger } from '../use-charger';
import { Authentication } from './authentication';
import { DeleteCharger } from './delete-charger';
import './registration.css';
import { RegisteredSockets } from './registered-sockets';
import { chargerFields } from './registration-fields';
import { readVersioned, useOpened } from './use-opened';

const words = registrationTexts;

export function RegistrationTab({ charger }: { readonly charger: Charger }) {
  const { chargerId } = charger;
  const client = useQueryClient();
  const mayWrite = useMay('chargers:write');
  const readAnew = () => void client.invalidateQueries({ queryKey: chargerKey(chargerId) });
  return (
    <div className="stack">
      <Fields charger={charger} onChanged={readAnew} />
      <RegisteredSockets charger={charger} onChanged={readAnew} />
      <Authentication charger={charger} onChanged={readAnew} />
      {mayWrite && <DeleteCharger chargerId={chargerId} />}
    </div>
  );
}

interface FieldsProps {
  readonly charger: Charger;
  readonly onChanged: () => void;
}

function Fields({ charger, onChanged }: FieldsProps) {
  const { chargerId, ocppVersion, siteId, siteName } = charger;
  const mayWrite = useMay('chargers:write');
  const { options: sites } = useSites(undefined, mayWrite);
  const { opened, error, open, close } = useOpened(() => readVersioned(chargerId));
  const path = { chargerId };
  const isOwnKnown = sites.some(([id]) => id === String(siteId));
  const options = isOwnKnown ? sites : [[String(siteId), siteName] as const, ...sites];
  const fields = chargerFields(options, ocppVersion);
  return (
    <section className="card registration-card" aria-labelledby="registration">
      <header className="registration-head">
        <h2 id="registration">{words.title}</h2>
        {mayWrite && (
          <Button icon={<Pencil />} onClick={open}>
            {words.change}
          </Button>
        )}
      </header>
      {error !== null && <FailureNote title={words.readFailed} error={error} onRetry={open} />}
      <dl className="facts">
        <FieldFacts fields={fields} record={charger} />
        <Fact label={words.createdAt}>
          <DateTime at={charger.createdAt} />
        </Fact>
      </dl>
      <Tolerated fields={fields} record={charger} />
      <RecordDialog
        open={opened !== undefined}
        title={words.changeTitle(chargerId)}
        fields={fields}
        stored={opened}
        action={texts.common.save}
        failed={words.changeFailed}
        send={(body, etag) =>
          dataOf(api.PATCH('/v2/chargers/{chargerId}', { params: { path, header: { 'If-Match': etag } }, body }))
        }
        read={() => readVersioned(chargerId)}
        onClose={close}
        onDone={onChanged}
      />
    </section>
  );
}

/** What is set, but for what has a place of its own. */
function FieldFacts({ fields, record }: { readonly fields: readonly RecordField[]; readonly record: Charger }) {
  const values = valuesOf(fields, record);
  const plain = fields.filter(({ group }) => group !== words.groups.compatibility);
  return plain.flatMap((field) => {
    const value = values[field.name] ?? '';
    if (value === '') return [];
    return [
      <Fact key={field.name} label={field.label}>
        {shownOf(field, value, recordsTexts.yesNo)}
      </Fact>,
    ];
  });
}

/** One fact: most of the switches are on. */
function Tolerated({ fields, record }: { readonly fields: readonly RecordField[]; readonly record: Charger }) {
  const values = valuesOf(fields, record);
  const tolerated = fields.filter(({ group, name }) => group === words.groups.compatibility && values[name] === true);
  return (
    <dl>
      <Fact label={words.tolerated}>{tolerated.map(({ label }) => label).join('; ') || texts.common.none}</Fact>
    </dl>
  );
}
