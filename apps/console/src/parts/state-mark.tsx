// The state of a socket or charger: a colour, a letter and a word.
import { texts } from '../texts';
import { toneOf, type State } from './states';

/** Letter and word. */
export function StateLabel({ state }: { readonly state: State }) {
  return (
    <span className={`state-label tone-${toneOf(state)}`}>
      <StateLetter state={state} />
      <span>{texts.states[state]}</span>
    </span>
  );
}

/** A spot of the colour with the letter, in front of the word. */
export function StateLetter({ state }: { readonly state: State }) {
  return (
    <span className="state-letter" aria-hidden>
      {texts.stateLetters[state]}
    </span>
  );
}

interface SocketMarkProps {
  readonly id: number;
  readonly state: State;
  readonly error: string;
}

/** Only the letter, where many stand in a row; the word is read aloud and shown on hover. */
export function SocketMark({ id, state, error }: SocketMarkProps) {
  const word = texts.fleet.socketIs(id, texts.states[state], error);
  return (
    <span className={`socket-mark tone-${toneOf(state)}`} role="img" aria-label={word} title={word}>
      {texts.stateLetters[state]}
    </span>
  );
}
