// Registers a charger, with its site where there is none yet, and says what to configure in the charger.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { api, dataOf } from '../api/client';
import { isFailure } from '../api/problem';
import { useMay } from '../api/use-session';
import { Button } from '../parts/button';
import { Dialog, DialogActions } from '../parts/dialog';
import { TextField } from '../parts/field';
import { textOf } from '../parts/form';
import { FailureNote } from '../parts/notes';
import { OcppAddress } from '../parts/ocpp-address';
import { chargerKey, reloadPages } from './charger-keys';
import { SiteField } from './site-field';
import { useSites } from './sites';
import { texts } from '../texts';

interface Registration {
  readonly chargerId: string;
  readonly name: string;
  readonly siteId: number | undefined;
  readonly siteName: string;
  readonly password: string;
}

interface NewChargerProps {
  /** What the field of the id begins with. */
  readonly chargerId?: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function NewCharger({ chargerId = '', open, onClose }: NewChargerProps) {
  const [registered, setRegistered] = useState<string>();
  function close(): void {
    setRegistered(undefined);
    onClose();
  }
  return (
    <Dialog open={open} onClose={close} title={texts.newCharger.title}>
      {registered === undefined ? (
        <Form chargerId={chargerId} onClose={close} onRegistered={setRegistered} />
      ) : (
        <Done chargerId={registered} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly chargerId: string;
  readonly onClose: () => void;
  readonly onRegistered: (chargerId: string) => void;
}

function Form({ chargerId: initialId, onClose, onRegistered }: FormProps) {
  const client = useQueryClient();
  const { total: sites } = useSites();
  const register = useMutation({
    mutationFn: registerCharger,
    onSuccess(_, { chargerId }) {
      void client.invalidateQueries({ queryKey: ['statistics'] });
      void client.invalidateQueries({ queryKey: ['sites'] });
      reloadPages(client);
      void client.invalidateQueries({ queryKey: chargerKey(chargerId) });
      onRegistered(chargerId);
    },
  });

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const trimmed = (name: string) => textOf(form, name).trim();
    const siteId = trimmed('siteId');
    register.mutate({
      chargerId: trimmed('chargerId'),
      name: trimmed('name'),
      siteId: siteId === '' ? undefined : Number(siteId),
      siteName: trimmed('siteName'),
      password: trimmed('password'),
    });
  }

  return (
    <form className="stack" onSubmit={submit}>
      {register.isError && <FailureNote title={texts.newCharger.failed} error={register.error} />}
      <TextField
        label={texts.newCharger.id}
        hint={texts.newCharger.idHint}
        error={issueOf(register.error, 'chargerId')}
        name="chargerId"
        defaultValue={initialId}
        maxLength={48}
        required
        autoFocus
      />
      <TextField label={texts.newCharger.name} hint={texts.newCharger.nameHint} name="name" maxLength={200} />
      <Site isFirst={sites === 0} error={issueOf(register.error, 'siteId')} />
      <TextField
        label={texts.newCharger.password}
        hint={texts.newCharger.passwordHint}
        error={issueOf(register.error, 'password')}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={40}
      />
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" busy={register.isPending}>
          {texts.newCharger.submit}
        </Button>
      </DialogActions>
    </form>
  );
}

interface SiteProps {
  readonly isFirst: boolean;
  readonly error: string | undefined;
}

/** A key that may not read sites names one by its id, or none. */
function Site({ isFirst, error }: SiteProps) {
  const maySee = useMay('sites:read');
  if (!maySee) {
    return (
      <TextField
        label={texts.newCharger.siteId}
        hint={texts.newCharger.siteIdHint}
        error={error}
        name="siteId"
        inputMode="numeric"
        pattern="[1-9][0-9]{0,8}"
      />
    );
  }
  if (!isFirst) return <SiteField label={texts.newCharger.site} name="siteId" value="" error={error} required />;
  return (
    <TextField
      label={texts.newCharger.newSite}
      hint={texts.newCharger.newSiteHint}
      name="siteName"
      maxLength={200}
      required
    />
  );
}

function Done({ chargerId }: { readonly chargerId: string }) {
  return (
    <div className="stack">
      <p>{texts.newCharger.done}</p>
      <OcppAddress chargerId={chargerId} />
      <DialogActions>
        <Link to="/chargers/$chargerId" params={{ chargerId }} className="button button-primary button-m">
          {texts.newCharger.open}
        </Link>
      </DialogActions>
    </div>
  );
}

async function registerCharger({ chargerId, name, siteId, siteName, password }: Registration): Promise<void> {
  const site = siteName === '' ? siteId : (await dataOf(api.POST('/v2/sites', { body: { name: siteName } }))).id;
  const body = { chargerId, name: name === '' ? chargerId : name, ...(site === undefined ? {} : { siteId: site }) };
  await dataOf(api.POST('/v2/chargers', { body }));
  if (password === '') return;
  const path = { chargerId };
  await dataOf(api.PUT('/v2/chargers/{chargerId}/authentication', { params: { path }, body: { password } }));
}

function issueOf(error: unknown, field: string): string | undefined {
  if (!isFailure(error)) return undefined;
  return error.problem?.errors.find(({ path }) => path === `/${field}`)?.message;
}
