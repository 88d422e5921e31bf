// Chooses several sites, each with a button that removes it. The form has their ids under the name of the field, separated by commas.
import { useState } from 'react';
import { Removable } from '../parts/removable';
import { recordsTexts as words } from '../texts/records';
import { SiteField } from './site-field';
import { useSitePath } from './sites';

interface SitesFieldProps {
  readonly label: string;
  readonly name: string;
  readonly hint: string;
  readonly value: readonly number[];
}

export function SitesField({ label, name, hint, value }: SitesFieldProps) {
  const [chosen, setChosen] = useState(value.map(String));
  const remove = (siteId: string) => setChosen((before) => before.filter((id) => id !== siteId));
  return (
    <>
      <input type="hidden" name={name} value={chosen.join(',')} />
      <SiteField
        // Empty again after each choice.
        key={chosen.length}
        label={label}
        name={`${name}-add`}
        hint={hint}
        value=""
        except={chosen}
        none={chosen.length === 0 ? words.anySite : words.addSite}
        onChoose={(siteId) => setChosen((before) => [...before, siteId])}
      />
      {chosen.length > 0 && (
        <ul className="removables" aria-label={label}>
          {chosen.map((siteId) => (
            <ChosenSite key={siteId} siteId={siteId} onRemove={() => remove(siteId)} />
          ))}
        </ul>
      )}
    </>
  );
}

function ChosenSite({ siteId, onRemove }: { readonly siteId: string; readonly onRemove: () => void }) {
  const path = useSitePath(Number(siteId));
  return <Removable label={path} action={words.removeSite(path)} onRemove={onRemove} />;
}
