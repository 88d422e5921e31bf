// Keys: `/` goes to the search of the screen, `g` and a letter to a screen, `?` lists them (`shortcut-help.tsx`).
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useMenu } from './use-menu';

const SEQUENCE_MS = 1_000;

export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const menu = useMenu();
  const lastG = useRef(-Infinity);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = event.timeStamp - lastG.current < SEQUENCE_MS;
      lastG.current = event.key === 'g' ? event.timeStamp : -Infinity;
      const entry = isSecond ? menu.find(({ key }) => key === event.key) : undefined;
      if (entry !== undefined) void navigate({ to: entry.path });
      else if (event.key === '?') onHelp();
      else if (event.key === '/') focusSearch(event);
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, onHelp, menu]);
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (search === null) return;
  event.preventDefault();
  search.focus();
  search.select();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null
  );
}
