// Creates a key. A key can grant only its own permissions. The secret is shown once, until the reader says that it is stored.
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import type { Permission } from '../../api/session';
import { useSession } from '../../api/use-session';
import { Button } from '../../parts/button';
import { Copyable } from '../../parts/copy';
import { Dialog, DialogActions } from '../../parts/dialog';
import { CheckField, TextField } from '../../parts/field';
import { textOf } from '../../parts/form';
import { FailureNote } from '../../parts/notes';
import { texts } from '../../texts';
import { keysTexts } from '../../texts/keys';

type Input = Schemas['ApiKeyInput'];

interface NewKeyProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

export function NewKey({ open, onClose, onCreated }: NewKeyProps) {
  const create = useMutation({
    mutationFn: (body: Input) => dataOf(api.POST('/v2/api-keys', { body })),
    onSuccess: onCreated,
    // The secret stays nowhere once the dialog is closed.
    gcTime: 0,
  });
  const secret = create.data?.key;
  const { clientId } = useSession();
  function close(): void {
    create.reset();
    onClose();
  }
  // A secret that was not stored is lost: only the button closes the dialog then.
  return (
    <Dialog open={open} onClose={secret === undefined ? close : () => undefined} title={keysTexts.create}>
      {secret === undefined ? (
        <Form error={create.error} isBusy={create.isPending} onSubmit={(body) => create.mutate(body)} onClose={close} />
      ) : (
        <div className="stack">
          <p>{keysTexts.secretOnce}</p>
          <Copyable text={secret} label={keysTexts.copySecret} />
          <p>{keysTexts.withClient}</p>
          <Copyable text={clientId} label={keysTexts.copyClientId} />
          <DialogActions>
            <Button kind="primary" onClick={close}>
              {keysTexts.stored}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onSubmit: (body: Input) => void;
  readonly onClose: () => void;
}

function Form({ error, isBusy, onSubmit, onClose }: FormProps) {
  const { permissions } = useSession();
  // The permission of operators is given by the command line alone.
  const grantable = permissions.filter(isGrantable);
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const expires = textOf(form, 'expiresAt');
    onSubmit({
      name: textOf(form, 'name').trim(),
      permissions: grantable.filter((permission) => form.has(permission)),
      ...(expires === '' ? {} : { expiresAt: new Date(expires).toISOString() }),
    });
  }
  return (
    <form className="stack" onSubmit={submit}>
      {error !== null && <FailureNote title={keysTexts.createFailed} error={error} />}
      <TextField label={keysTexts.name} hint={keysTexts.nameHint} name="name" maxLength={100} required autoFocus />
      <TextField label={keysTexts.expires} hint={keysTexts.expiresHint} name="expiresAt" type="datetime-local" />
      <fieldset className="permission-choices">
        <legend className="field-label">{keysTexts.permissions}</legend>
        {grantable.map((permission) => (
          <CheckField
            key={permission}
            name={permission}
            label={permission}
            defaultChecked={permission.endsWith(':read')}
          />
        ))}
      </fieldset>
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          {keysTexts.createNow}
        </Button>
      </DialogActions>
    </form>
  );
}

function isGrantable(permission: Permission): permission is Input['permissions'][number] {
  return permission !== 'operator';
}
