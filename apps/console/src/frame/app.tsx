// The console as a whole: who is signed in decides between the sign-in page and the frame. The address stays what it is, so that
// a reader who signs in again is where they were.
import { QueryClientProvider, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { onSignedOut } from '../api/client';
import { readSession, type ConsoleSession } from '../api/session';
import { SessionContext } from '../api/use-session';
import { beginningOf } from '../live/beginning';
import { createFeed, FeedProvider } from '../live/live';
import { Announcer } from '../parts/announcer';
import { FailureNote } from '../parts/notes';
import { SignIn } from '../screens/sign-in/sign-in';
import { texts } from '../texts';
import './app.css';
import { SESSION, sessionQuery } from './query-client';
import { createConsoleRouter } from './routes';
import { homeOf } from './screens';

interface AppProps {
  readonly client: QueryClient;
  /** Of the link that signs in once. */
  readonly code: string | undefined;
}

export function App({ client, code }: AppProps) {
  return (
    <QueryClientProvider client={client}>
      <Announcer>
        <SessionGate client={client} code={code} />
      </Announcer>
    </QueryClientProvider>
  );
}

/** A page asks to sign in within 5 s of the end of its key. */
const CHECK_MS = 4_000;

function SessionGate({ client, code }: { readonly client: QueryClient; readonly code: string | undefined }) {
  const [hasEnded, setEnded] = useState(false);
  // A code replaces a session that there is.
  const [isByCode, setByCode] = useState(code !== undefined);
  const session = useQuery({
    ...sessionQuery,
    enabled: !isByCode,
    // A screen that asks for nothing would show what a revoked key saw.
    refetchInterval: ({ state }) => (state.data == null ? false : CHECK_MS),
  });
  useEffect(
    () =>
      onSignedOut(() => {
        if (client.getQueryData<ConsoleSession | null>(SESSION) == null) return;
        setEnded(true);
        client.setQueryData(SESSION, null);
      }),
    [client],
  );
  if (session.isError && session.data === undefined) {
    return (
      <main className="alone">
        <FailureNote title={texts.signIn.noSession} error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (isByCode || session.data === null) {
    const onSignedIn = async () => {
      setByCode(false);
      // Nothing of the client before may be shown to the next one.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
      client.setQueryData(SESSION, await readSession());
      setEnded(false);
    };
    return <SignIn code={isByCode ? code : undefined} hasEnded={hasEnded} onSignedIn={onSignedIn} />;
  }
  if (session.data === undefined) return <main className="alone" aria-busy />;
  return <SignedIn key={session.data.clientId + session.data.keyId} session={session.data} />;
}

function SignedIn({ session }: { readonly session: ConsoleSession }) {
  const [router] = useState(() => createConsoleRouter({ home: homeOf(session.permissions) }));
  const canFollow = session.permissions.includes('events:read');
  const feedId = canFollow ? `${session.clientId}:${session.keyId}` : null;
  const client = useQueryClient();
  const { keyId } = session;
  const feed = useMemo(
    () => (feedId === null ? null : createFeed(feedId, () => beginningOf(client, keyId))),
    [client, feedId, keyId],
  );
  useEffect(() => () => feed?.stop(), [feed]);
  return (
    <SessionContext value={session}>
      <FeedProvider feed={feed}>
        <RouterProvider router={router} />
      </FeedProvider>
    </SessionContext>
  );
}
