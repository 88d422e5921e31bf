// The list of keys.
import { Dialog } from '../parts/dialog';
import { texts } from '../texts';
import { useMenu } from './use-menu';

export function ShortcutHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={texts.frame.shortcuts}>
      <dl className="shortcut-list">
        <Shortcut keys={['/']} text={texts.frame.shortcutSearch} />
        {useMenu().map(({ key, label }) => (
          <Shortcut key={key} keys={['g', key]} text={label} />
        ))}
        <Shortcut keys={['?']} text={texts.frame.shortcutHelp} />
        <Shortcut keys={['Esc']} text={texts.frame.shortcutClose} />
      </dl>
    </Dialog>
  );
}

function Shortcut({ keys, text }: { readonly keys: readonly string[]; readonly text: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </>
  );
}
