// A site as a filter in a toolbar: a button that names it, and a dialog that chooses another.
import { MapPin } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { useMay } from '../api/use-session';
import { Button } from '../parts/button';
import { Dialog, DialogActions } from '../parts/dialog';
import { textOf } from '../parts/form';
import { texts } from '../texts';
import { SiteField } from './site-field';
import { useSitePath } from './sites';

interface SiteChoiceProps {
  readonly site: number | undefined;
  readonly onChoose: (site: number | undefined) => void;
  readonly hint?: string;
}

/** Not there where the key may not read sites. */
export function SiteChoice({ site, onChoose, hint }: SiteChoiceProps) {
  const maySee = useMay('sites:read');
  const path = useSitePath(site);
  const [isOpen, setOpen] = useState(false);
  function apply(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const chosen = textOf(new FormData(event.currentTarget), 'site');
    onChoose(chosen === '' ? undefined : Number(chosen));
    setOpen(false);
  }
  if (!maySee) return null;
  return (
    <>
      <Button icon={<MapPin />} onClick={() => setOpen(true)}>
        {site === undefined ? texts.fleet.anySite : `${texts.fleet.site}: ${path}`}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={texts.fleet.site}>
        <form className="stack" onSubmit={apply}>
          <SiteField
            label={texts.fleet.site}
            name="site"
            value={String(site ?? '')}
            none={texts.fleet.anySite}
            hint={hint}
          />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{texts.common.cancel}</Button>
            <Button kind="primary" type="submit">
              {texts.fleet.apply}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
}
