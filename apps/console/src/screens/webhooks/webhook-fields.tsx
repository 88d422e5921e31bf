// The fields of a webhook that its owner sets, for a new one and for a change.
import type { Schemas } from '../../api/client';
import { SelectField, TextField } from '../../parts/field';
import { textOf } from '../../parts/form';
import { webhooksTexts } from '../../texts/webhooks';
import { namesOf } from './webhooks-search';

type Types = NonNullable<Schemas['WebhookInput']['types']>;

/** What the form says. The API judges names of types, and says which is wrong. */
export function inputOf(form: FormData) {
  const types = namesOf(textOf(form, 'types'));
  return {
    url: textOf(form, 'url').trim(),
    description: textOf(form, 'description').trim(),
    types: (types ?? null) as Types | null,
    chargerIds: namesOf(textOf(form, 'chargerIds')) ?? null,
    ordering: textOf(form, 'ordering') === 'none' ? ('none' as const) : ('charger' as const),
    maxInFlight: Number(textOf(form, 'maxInFlight')),
  };
}

export function WebhookFields({ webhook }: { readonly webhook?: Schemas['Webhook'] }) {
  const words = webhooksTexts;
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
      <TextField label={words.types} hint={words.typesHint} name="types" defaultValue={webhook?.types.join(', ')} />
      <TextField
        label={words.chargerIds}
        hint={words.chargerIdsHint}
        name="chargerIds"
        defaultValue={webhook?.chargerIds?.join(', ')}
      />
      <SelectField label={words.ordering} name="ordering" defaultValue={webhook?.ordering ?? 'charger'}>
        <option value="charger">{words.orderings.charger}</option>
        <option value="none">{words.orderings.none}</option>
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
    </>
  );
}
