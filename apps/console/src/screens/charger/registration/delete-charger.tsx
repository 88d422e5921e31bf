import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { CHARGER_PAGES } from '../../../records/charger-keys';
import { registrationTexts } from '../../../texts/registration';

const words = registrationTexts;

/** Deletes the charger, after its id was typed. */
export function DeleteCharger({ chargerId }: { readonly chargerId: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  async function remove(): Promise<void> {
    await dataOf(api.DELETE('/v2/chargers/{chargerId}', { params: { path: { chargerId } } }));
    client.removeQueries({ queryKey: CHARGER_PAGES });
    await navigate({ to: '/' });
  }
  return (
    <section className="card registration-card" aria-labelledby="deletion">
      <header className="registration-head">
        <h2 id="deletion">{words.remove}</h2>
        <Button kind="danger" onClick={() => setOpen(true)}>
          {words.remove}
        </Button>
      </header>
      <p>{words.removeText}</p>
      <Confirm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={words.removeTitle(chargerId)}
        failed={words.removeFailed}
        action={words.remove}
        typed={chargerId}
        onConfirm={remove}
      >
        {words.removeText}
      </Confirm>
    </section>
  );
}
