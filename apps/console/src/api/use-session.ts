import { createContext, useContext } from 'react';
import type { ConsoleSession, Permission } from './session';

export const SessionContext = createContext<ConsoleSession | null>(null);

/** The session of who is signed in. Only inside the frame. */
export function useSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session: this component is for the frame');
  return session;
}

/** Whether the key of the session has the permission. What it may not do is not shown. */
export function useMay(permission: Permission): boolean {
  return useSession().permissions.includes(permission);
}
