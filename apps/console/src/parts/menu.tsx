// A menu behind a button. Not modal: Radix's modal menu locks scrolling by a style element, which the security policy refuses.
import * as Radix from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';
import './menu.css';

interface MenuProps {
  readonly trigger: ReactNode;
  /** Whether it is open when it first appears. */
  readonly defaultOpen?: boolean;
  readonly children: ReactNode;
}

export function Menu({ trigger, defaultOpen = false, children }: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen={defaultOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, icon, danger = false, children }: MenuItemProps) {
  return (
    <Radix.Item className={danger ? 'menu-item menu-item-danger' : 'menu-item'} onSelect={onSelect}>
      {icon}
      {children}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="menu-label">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="menu-line" />;
}

interface MenuChoiceProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** One of several, with a mark at the present one. */
export function MenuChoice({ value, onChange, options }: MenuChoiceProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      {options.map(([option, label]) => (
        <Radix.RadioItem className="menu-item menu-item-choice" key={option} value={option}>
          <Radix.ItemIndicator className="menu-mark" />
          {label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}
