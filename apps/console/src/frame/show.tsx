// The page itself: with React, the router and the screens the larger part of the program, which is read while what `main.ts` asked for is on
// its way.
import type { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import '../design/tokens.css';
import '../design/base.css';
import '../design/card.css';
import '../design/states.css';
import { App } from './app';

/** Draws the console. `code`: of the link that signs in once. */
export function show(client: QueryClient, code: string | undefined): void {
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(<App client={client} code={code} />);
}
