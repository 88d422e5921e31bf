// Chooses a site from a list, which a search narrows where there are more sites than it can offer.
import { useState, type ChangeEvent, type KeyboardEvent } from 'react';
import { SelectField } from '../parts/field';
import { SearchField } from '../parts/search-field';
import { recordsTexts as words } from '../texts/records';
import { useSites, useSitePath } from './sites';

interface SiteFieldProps {
  readonly label: string;
  readonly name: string;
  /** The id of the site that is chosen at first; empty: none. */
  readonly value: string;
  /** Offers that no site is chosen, by this text. Without it the first site is chosen at first. */
  readonly none?: string | undefined;
  /** Sites that cannot be chosen. */
  readonly except?: readonly string[] | undefined;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly onChoose?: (siteId: string) => void;
}

export function SiteField({ value, none, except = [], onChoose, ...rest }: SiteFieldProps) {
  const [search, setSearch] = useState<string>();
  const [chosen, setChosen] = useState(value);
  const all = useSites();
  const { options } = useSites(search);
  const path = useSitePath(chosen === '' ? undefined : Number(chosen));
  const offered = options.filter(([id]) => !except.includes(id));
  const isOffered = chosen === '' || offered.some(([id]) => id === chosen);
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    setChosen(target.value);
    onChoose?.(target.value);
  };
  const isLong = (all.total ?? 0) > all.options.length;
  return (
    <>
      {isLong && (
        <div onKeyDown={keepForm}>
          <SearchField label={words.searchSites} value={search} onChange={setSearch} />
        </div>
      )}
      <SelectField
        {...rest}
        value={chosen === '' && none === undefined ? (offered[0]?.[0] ?? '') : chosen}
        onChange={choose}
      >
        {none !== undefined && <option value="">{none}</option>}
        {!isOffered && <option value={chosen}>{path}</option>}
        {offered.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** Return in the search sends nothing. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}
