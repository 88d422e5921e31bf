// The menu of a narrow page.
import { Dialog } from '../parts/dialog';
import { texts } from '../texts';
import { MenuList } from './menu-list';

export function MenuDrawer({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={texts.frame.menu} kind="drawer">
      <nav aria-label={texts.frame.menu}>
        <MenuList onSelect={onClose} />
      </nav>
    </Dialog>
  );
}
