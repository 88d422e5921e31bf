import { useState } from 'react';

/** Whether something was open once: what it needs is loaded then, and kept. */
export function useWasOpen(isOpen: boolean): boolean {
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  return isOpen || wasOpened;
}
