import { Button } from '../../parts/button';
import { Copyable } from '../../parts/copy';
import { DialogActions } from '../../parts/dialog';
import { texts } from '../../texts';

/** The signing secret of a webhook, which cannot be read again. */
export function SecretOnce({ secret, onStored }: { readonly secret: string; readonly onStored: () => void }) {
  return (
    <div className="stack">
      <p>{texts.webhooks.secretOnce}</p>
      <Copyable text={secret} />
      <DialogActions>
        <Button kind="primary" onClick={onStored}>
          {texts.webhooks.stored}
        </Button>
      </DialogActions>
    </div>
  );
}
