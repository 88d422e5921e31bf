import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import './button.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly size?: 's' | 'm';
  /** Shows that the action is in progress, and takes no second click. */
  readonly busy?: boolean;
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind = 'plain', size = 'm', busy = false, icon, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${kind} button-${size} ${rest.className ?? ''}`}
      aria-busy={busy || undefined}
      disabled={rest.disabled === true || busy}
    >
      {busy ? <span className="spinner" aria-hidden /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Read aloud, and shown on hover. */
  readonly label: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} aria-label={label} {...rest} className={`icon-button ${rest.className ?? ''}`}>
      {children}
    </button>
  );
}
