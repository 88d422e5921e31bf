import { Button } from '../../parts/button';
import { Copyable } from '../../parts/copy';
import { DialogActions } from '../../parts/dialog';
import { webhooksTexts } from '../../texts/webhooks';

/** The signing secret of a webhook, which cannot be read again. */
export function SecretOnce({ secret, onStored }: { readonly secret: string; readonly onStored: () => void }) {
  return (
    <div className="stack">
      <p>{webhooksTexts.secretOnce}</p>
      <Copyable text={secret} />
      <DialogActions>
        <Button kind="primary" onClick={onStored}>
          {webhooksTexts.stored}
        </Button>
      </DialogActions>
    </div>
  );
}
