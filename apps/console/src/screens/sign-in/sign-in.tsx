// The sign-in page. The key goes to the service and nowhere else: neither storage nor the address.
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { isFailure } from '../../api/problem';
import { signIn, type Credentials } from '../../api/session';
import { Button } from '../../parts/button';
import { TextField } from '../../parts/field';
import { textOf } from '../../parts/form';
import { FailureNote } from '../../parts/notes';
import { Wordmark } from '../../parts/wordmark';
import { texts } from '../../texts';
import './sign-in.css';

interface SignInProps {
  /** A one-time code, which signs in by itself. */
  readonly code: string | undefined;
  /** Whether a session ended while it was in use. */
  readonly hasEnded: boolean;
  readonly onSignedIn: () => Promise<void>;
}

export function SignIn({ code, hasEnded, onSignedIn }: SignInProps) {
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(code !== undefined);
  const isCodeSent = useRef(false);
  const [isByCode, setByCode] = useState(code !== undefined);

  async function enter(credentials: Credentials): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      await signIn(credentials);
      await onSignedIn();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  useEffect(() => {
    document.title = texts.signIn.documentTitle;
    if (code === undefined || isCodeSent.current) return;
    isCodeSent.current = true;
    void enter({ code });
  });

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    setByCode(false);
    const form = new FormData(event.currentTarget);
    void enter({ clientId: textOf(form, 'clientId').trim(), apiKey: textOf(form, 'apiKey').trim() });
  }

  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <Wordmark />
        <form className="sign-in-form" onSubmit={submit}>
          <div className="sign-in-head">
            <h1>{texts.signIn.title}</h1>
            <p className="muted">{hasEnded ? texts.signIn.ended : texts.signIn.intro}</p>
          </div>
          <SignInFailure failure={failure} isByCode={isByCode} />
          <TextField
            label={texts.signIn.clientId}
            hint={texts.signIn.clientIdHint}
            name="clientId"
            autoComplete="username"
            autoCapitalize="none"
            required
            autoFocus
          />
          <TextField
            label={texts.signIn.apiKey}
            name="apiKey"
            type="password"
            autoComplete="current-password"
            required
          />
          <Button kind="primary" type="submit" busy={isBusy} className="sign-in-button">
            {texts.signIn.submit}
          </Button>
        </form>
        <p className="sign-in-foot">
          {texts.signIn.noKey} <code>npm run admin -- key create</code>
        </p>
      </div>
    </main>
  );
}

function SignInFailure({ failure, isByCode }: { readonly failure: unknown; readonly isByCode: boolean }) {
  if (failure === undefined) return null;
  const code = isFailure(failure) ? failure.code : undefined;
  if (code === 'unauthenticated') return <FieldNote text={isByCode ? texts.signIn.usedCode : texts.signIn.wrong} />;
  if (code === 'rate_limited') return <FieldNote text={texts.signIn.tooOften} />;
  return <FailureNote title={texts.signIn.failed} error={failure} />;
}

function FieldNote({ text }: { readonly text: string }) {
  return (
    <p className="sign-in-wrong" role="alert">
      {text}
    </p>
  );
}
