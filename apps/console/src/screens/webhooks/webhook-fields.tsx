// The fields of a webhook that its owner sets, for a new one and for a change.
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { CheckField, SelectField, TextField } from '../../parts/field';
import { SitesField } from '../../records/sites-field';
import { webhooksTexts } from '../../texts/webhooks';
import type { WebhookFormat } from './webhook-input';

const words = webhooksTexts;

interface FieldsProps {
  /** Undefined: a new one. */
  readonly webhook?: Schemas['Webhook'] | undefined;
}

export function WebhookFields({ webhook }: FieldsProps) {
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'standard');
  return (
    <>
      <TextField
        label={words.url}
        hint={words.urlHint}
        name="url"
        type="url"
        maxLength={2000}
        required
        autoFocus
        defaultValue={webhook?.url}
      />
      <TextField label={words.name} name="description" maxLength={100} defaultValue={webhook?.description} />
      <SelectField
        label={words.format}
        name="format"
        value={format}
        onChange={({ target }) => setFormat(target.value as WebhookFormat)}
      >
        <Options names={words.formats} />
      </SelectField>
      <TextField
        // The types of one format mean nothing in another.
        key={format}
        label={words.types}
        hint={format === 'standard' ? words.typesHint : words.kindsHint}
        name="types"
        defaultValue={webhook?.format === format ? webhook.types.join(', ') : ''}
      />
      {format !== 'standard' && <Authorization isNew={webhook === undefined} />}
      <Filters webhook={webhook} />
      <Delivery webhook={webhook} />
    </>
  );
}

/** The header is never shown again, so an empty field leaves it as it is. */
function Authorization({ isNew }: { readonly isNew: boolean }) {
  return (
    <>
      <TextField
        label={words.authorization}
        hint={isNew ? words.authorizationHint : words.authorizationKept}
        name="authorization"
        type="password"
        maxLength={1000}
        autoComplete="new-password"
      />
      {!isNew && <CheckField label={words.noAuthorization} name="noAuthorization" />}
    </>
  );
}

function Filters({ webhook }: FieldsProps) {
  const maySeeSites = useMay('sites:read');
  return (
    <>
      <TextField
        label={words.chargerIds}
        hint={words.chargerIdsHint}
        name="chargerIds"
        defaultValue={webhook?.chargerIds?.join(', ')}
      />
      {maySeeSites && (
        <>
          <SitesField label={words.sites} hint={words.sitesHint} name="siteIds" value={webhook?.siteIds ?? []} />
          <CheckField
            label={words.includeSubsites}
            name="includeSubsites"
            defaultChecked={webhook?.includeSubsites ?? false}
          />
        </>
      )}
    </>
  );
}

function Delivery({ webhook }: FieldsProps) {
  return (
    <>
      <SelectField label={words.startAt} name="startAt" defaultValue={webhook === undefined ? 'now' : ''}>
        {webhook !== undefined && <option value="">{words.startsAt.kept}</option>}
        <option value="now">{words.startsAt.now}</option>
        <option value="oldest">{words.startsAt.oldest}</option>
      </SelectField>
      <SelectField label={words.ordering} name="ordering" defaultValue={webhook?.ordering ?? 'charger'}>
        <Options names={words.orderings} />
      </SelectField>
      <TextField
        label={words.maxInFlight}
        name="maxInFlight"
        type="number"
        min={1}
        max={32}
        required
        defaultValue={webhook?.maxInFlight ?? 8}
      />
      {webhook === undefined && <CheckField label={words.startDisabled} name="startDisabled" />}
    </>
  );
}

function Options({ names }: { readonly names: Readonly<Record<string, string>> }) {
  return Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}
