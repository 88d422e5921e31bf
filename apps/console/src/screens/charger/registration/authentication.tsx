// How the charger authenticates: its security profile, and a new password. The secret itself is never read back.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { api, dataOf } from '../../../api/client';
import { useMay } from '../../../api/use-session';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { Dialog, DialogActions } from '../../../parts/dialog';
import { SelectField, TextField } from '../../../parts/field';
import { textOf } from '../../../parts/form';
import { FailureNote } from '../../../parts/notes';
import { DateTime } from '../../../parts/time';
import { texts } from '../../../texts';
import { registrationTexts } from '../../../texts/registration';
import type { Charger } from '../use-charger';

const words = registrationTexts;
/** Those of OCPP that have credentials. */
const PROFILES = [1, 2, 3] as const;
const WITH_CERTIFICATE = 3;

interface AuthenticationProps {
  readonly charger: Charger;
  readonly onChanged: () => void;
}

export function Authentication({
  charger: { chargerId, securityProfile, authenticationSetAt },
  onChanged,
}: AuthenticationProps) {
  const mayWrite = useMay('chargers:write');
  const [open, setOpen] = useState<'set' | 'remove'>();
  const close = () => setOpen(undefined);
  const path = { chargerId };
  const section = useRef<HTMLElement>(null);
  // A link to here may come before this is loaded.
  useEffect(() => {
    if (location.hash === '#authentication') section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section className="card registration-card" aria-labelledby="authentication" ref={section}>
      <header className="registration-head">
        <h2 id="authentication">{words.authentication}</h2>
        {mayWrite && (
          <span className="registration-actions">
            <Button onClick={() => setOpen('set')}>{words.setPassword}</Button>
            {securityProfile > 0 && <Button onClick={() => setOpen('remove')}>{words.removePassword}</Button>}
          </span>
        )}
      </header>
      <p>{words.profileIs[securityProfile]}</p>
      {authenticationSetAt !== null && (
        <p className="muted">
          {words.authenticationSetAt} <DateTime at={authenticationSetAt} />
        </p>
      )}
      <Dialog open={open === 'set'} onClose={close} title={words.setPassword} description={words.setPasswordText}>
        <SetPassword chargerId={chargerId} profile={securityProfile} onClose={close} onChanged={onChanged} />
      </Dialog>
      <Confirm
        open={open === 'remove'}
        onClose={close}
        title={words.removePassword}
        failed={words.authenticationFailed}
        action={words.removePassword}
        onConfirm={async () => {
          await dataOf(api.DELETE('/v2/chargers/{chargerId}/authentication', { params: { path } }));
          onChanged();
        }}
      >
        {words.removePasswordText}
      </Confirm>
    </section>
  );
}

interface SetPasswordProps {
  readonly chargerId: string;
  readonly profile: number;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function SetPassword({ chargerId, profile, onClose, onChanged }: SetPasswordProps) {
  const [chosen, setChosen] = useState(profile === 0 ? 1 : profile);
  const set = useMutation({
    mutationFn: (password: string) =>
      dataOf(
        api.PUT('/v2/chargers/{chargerId}/authentication', {
          params: { path: { chargerId } },
          body: {
            securityProfile: PROFILES.find((one) => one === chosen) ?? 1,
            ...(password === '' ? {} : { password }),
          },
        }),
      ),
    onSuccess() {
      onChanged();
      onClose();
    },
  });
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    set.mutate(textOf(new FormData(event.currentTarget), 'password'));
  }
  return (
    <form className="stack" onSubmit={submit}>
      {set.error !== null && <FailureNote title={words.authenticationFailed} error={set.error} />}
      <SelectField label={words.profile} value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
        {PROFILES.map((one) => (
          <option key={one} value={one}>
            {words.profiles[one]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={words.password}
        hint={chosen === WITH_CERTIFICATE ? words.passwordOptional : words.passwordHint}
        name="password"
        type="password"
        autoComplete="new-password"
        required={chosen !== WITH_CERTIFICATE}
        minLength={8}
        maxLength={40}
      />
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" busy={set.isPending}>
          {words.setNow}
        </Button>
      </DialogActions>
    </form>
  );
}
