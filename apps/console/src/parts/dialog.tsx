// Dialogs and drawers: focus inside while open and put back afterwards. The veil is our own: Radix's locks scrolling by a
// style element, which the security policy of the page refuses.
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { texts } from '../texts';
import { IconButton } from './button';
import './dialog.css';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  /** A drawer comes from the right, and leaves what it speaks of in sight. */
  readonly kind?: 'dialog' | 'drawer';
  readonly children: ReactNode;
}

export function Dialog({ open, onClose, title, description, kind = 'dialog', children }: DialogProps) {
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <div className={`veil veil-${kind}`} ref={keepScrollBarPlace} />
        <Radix.Content
          className={`sheet sheet-${kind}`}
          onOpenAutoFocus={() => {
            opener.current = openerOf(document.activeElement);
          }}
          onCloseAutoFocus={(event) => {
            // Radix gives the focus to its own kind of trigger, which these have not.
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="sheet-head">
            <Radix.Title className="sheet-title">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={texts.common.close}>
                <X />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="sheet-body">
            {description !== undefined && (
              <Radix.Description asChild>
                <p className="sheet-description">{description}</p>
              </Radix.Description>
            )}
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Before the page is drawn without its scroll bar. */
function keepScrollBarPlace(veil: HTMLElement | null): void {
  if (veil === null) return;
  document.documentElement.style.setProperty('--scroll-bar', `${String(veil.offsetWidth - veil.clientWidth)}px`);
}

/** An item of a menu is gone when its dialog closes; its button is not. */
function openerOf(element: Element | null): Element | null {
  const trigger = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return trigger == null ? element : document.getElementById(trigger);
}

/** The buttons at the foot of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="sheet-actions">{children}</div>;
}
