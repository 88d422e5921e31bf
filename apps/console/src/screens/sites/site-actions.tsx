// What can be done with a site: change, a site below it, move, delete.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pencil } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf, versionedDataOf, type Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { Button, IconButton } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { Dialog, DialogActions } from '../../parts/dialog';
import { Menu, MenuItem } from '../../parts/menu';
import { RecordDialog } from '../../records/record-dialog';
import { texts } from '../../texts';
import { sitesTexts as words } from '../../texts/sites';
import { NewSite } from './new-site';
import { parentField, SITE_FIELDS } from './site-fields';

interface ActionsProps {
  readonly site: Schemas['Site'];
  readonly etag: string;
}

type Open = 'change' | 'new' | 'move' | 'delete';

export function SiteActions({ site, etag }: ActionsProps) {
  const mayWrite = useMay('sites:write');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  if (!mayWrite) return null;
  return (
    <div className="screen-actions">
      <Button icon={<Pencil />} onClick={() => setOpen('change')}>
        {words.change}
      </Button>
      <Menu
        trigger={
          <IconButton label={words.actions}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpen('new')}>{words.createBelow}</MenuItem>
        <MenuItem onSelect={() => setOpen('move')}>{words.move}</MenuItem>
        <MenuItem danger onSelect={() => setOpen('delete')}>
          {words.remove}
        </MenuItem>
      </Menu>
      <ChangeSite site={site} etag={etag} open={open} onClose={close} />
      <NewSite open={open === 'new'} parentSiteId={site.id} onClose={close} />
      <DeleteSite site={site} open={open === 'delete'} onClose={close} />
    </div>
  );
}

interface ChangeProps extends ActionsProps {
  readonly open: Open | undefined;
  readonly onClose: () => void;
}

function ChangeSite({ site, etag, open, onClose }: ChangeProps) {
  const client = useQueryClient();
  const path = { siteId: site.id };
  const dialog = {
    stored: { record: site, etag },
    send: (body: Schemas['SitePatch'], version: string) =>
      dataOf(api.PATCH('/v2/sites/{siteId}', { params: { path, header: { 'If-Match': version } }, body })),
    read: () => versionedDataOf(api.GET('/v2/sites/{siteId}', { params: { path } })),
    onClose,
    onDone: () => void client.invalidateQueries({ queryKey: ['sites'] }),
  };
  return (
    <>
      <RecordDialog
        {...dialog}
        open={open === 'change'}
        title={words.changeTitle(site.name)}
        fields={SITE_FIELDS}
        action={texts.common.save}
        failed={words.changeFailed}
      />
      <RecordDialog
        {...dialog}
        open={open === 'move'}
        title={words.moveTitle(site.name)}
        fields={[parentField(site.id)]}
        action={words.moveNow}
        failed={words.moveFailed}
        note={<p>{words.moveText}</p>}
      />
    </>
  );
}

interface DeleteProps {
  readonly site: Schemas['Site'];
  readonly open: boolean;
  readonly onClose: () => void;
}

/** A site that is not empty says what is in it: the service would refuse. */
function DeleteSite({ site: { id, name, numberOfChargers, numberOfSubsites }, open, onClose }: DeleteProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  async function remove(): Promise<void> {
    await dataOf(api.DELETE('/v2/sites/{siteId}', { params: { path: { siteId: id } } }));
    await navigate({ to: '/sites' });
    client.removeQueries({ queryKey: ['sites', 'one', id] });
    await client.invalidateQueries({ queryKey: ['sites'] });
  }
  if (numberOfChargers + numberOfSubsites > 0) {
    return (
      <Dialog open={open} onClose={onClose} title={words.removeTitle(name)}>
        <p>{words.notEmpty(numberOfChargers, numberOfSubsites)}</p>
        <DialogActions>
          <Button onClick={onClose}>{texts.common.close}</Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={words.removeTitle(name)}
      failed={words.removeFailed}
      action={words.remove}
      onConfirm={remove}
    >
      {words.removeText}
    </Confirm>
  );
}
