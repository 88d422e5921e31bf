import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, dataOf, type Schemas } from '../../api/client';
import { RecordDialog } from '../../records/record-dialog';
import { sitesTexts as words } from '../../texts/sites';
import { NEW_SITE_FIELDS } from './site-fields';

interface NewSiteProps {
  readonly open: boolean;
  /** Undefined: at the top. */
  readonly parentSiteId?: number;
  readonly onClose: () => void;
}

/** Creates a site, and opens it. */
export function NewSite({ open, parentSiteId, onClose }: NewSiteProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  async function create(site: Readonly<Record<string, unknown>>): Promise<void> {
    const body = { ...site, ...(parentSiteId === undefined ? {} : { parentSiteId }) } as Schemas['SiteInput'];
    const { id } = await dataOf(api.POST('/v2/sites', { body }));
    await client.invalidateQueries({ queryKey: ['sites'] });
    await navigate({ to: '/sites/$siteId', params: { siteId: String(id) } });
  }
  return (
    <RecordDialog
      open={open}
      title={parentSiteId === undefined ? words.create : words.createBelow}
      fields={NEW_SITE_FIELDS}
      stored={undefined}
      action={words.createNow}
      failed={words.createFailed}
      send={create}
      onClose={onClose}
      onDone={() => undefined}
    />
  );
}
