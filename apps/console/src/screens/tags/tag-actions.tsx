// What can be done with a tag: change, block, see its sessions, delete.
import { useMutation } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { IconButton } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { Dialog } from '../../parts/dialog';
import { Menu, MenuItem } from '../../parts/menu';
import { FailureNote } from '../../parts/notes';
import { RecordDialog } from '../../records/record-dialog';
import { texts } from '../../texts';
import { tagsTexts as words } from '../../texts/tags';
import { TAG_FIELDS } from './tag-fields';

interface ActionsProps {
  readonly tag: Schemas['Tag'];
  readonly onChanged: () => void;
}

export function TagActions({ tag, onChanged }: ActionsProps) {
  const { idTag, blocked } = tag;
  const path = { idTag };
  const [open, setOpen] = useState<'change' | 'delete'>();
  const close = () => setOpen(undefined);
  const change = (body: Schemas['TagChange']) => dataOf(api.PATCH('/v2/tags/{idTag}', { params: { path }, body }));
  const block = useMutation({ mutationFn: () => change({ blocked: !blocked }), onSuccess: onChanged });
  async function remove(): Promise<void> {
    await dataOf(api.DELETE('/v2/tags/{idTag}', { params: { path } }));
    onChanged();
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton label={words.actionsOf(idTag)}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpen('change')}>{words.change}</MenuItem>
        <MenuItem onSelect={() => block.mutate()}>{blocked ? words.unblock : words.block}</MenuItem>
        <MenuItem danger onSelect={() => setOpen('delete')}>
          {words.remove}
        </MenuItem>
      </Menu>
      <Dialog open={block.isError} onClose={() => block.reset()} title={words.changeTitle(idTag)}>
        <FailureNote title={words.changeFailed} error={block.error} onRetry={() => block.mutate()} />
      </Dialog>
      <RecordDialog
        open={open === 'change'}
        title={words.changeTitle(idTag)}
        fields={TAG_FIELDS}
        stored={{ record: tag, etag: '*' }}
        action={texts.common.save}
        failed={words.changeFailed}
        send={change}
        onClose={close}
        onDone={onChanged}
      />
      <Confirm
        open={open === 'delete'}
        onClose={close}
        title={words.removeTitle(idTag)}
        failed={words.removeFailed}
        action={words.remove}
        onConfirm={remove}
      >
        {words.removeText}
      </Confirm>
    </>
  );
}
