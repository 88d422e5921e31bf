import * as Radix from '@radix-ui/react-tabs';
import { Suspense, useEffect, useRef, type ReactNode } from 'react';
import './tabs.css';

interface TabsProps<Key extends string> {
  readonly label: string;
  readonly value: Key;
  readonly onChange: (value: Key) => void;
  readonly tabs: readonly { readonly key: Key; readonly label: string; readonly content: () => ReactNode }[];
}

/** Tabs; only the content of the open one exists. */
export function Tabs<Key extends string>({ label, value, onChange, tabs }: TabsProps<Key>) {
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the open one may be out of sight.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[data-state="active"]');
    if (list.current && open) list.current.scrollLeft = open.offsetLeft + open.offsetWidth - list.current.clientWidth;
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={(key) => onChange(key as Key)}>
      <Radix.List ref={list} className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.key} className="tab" value={tab.key}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.key} className="tab-content" value={tab.key} tabIndex={-1}>
          <Suspense fallback={<div className="tab-loading" />}>{tab.content()}</Suspense>
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
