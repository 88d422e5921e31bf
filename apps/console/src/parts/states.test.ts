import { texts } from '../texts';
import { STATES } from './states';

it.each(STATES)('has a letter for %s that no other state has', (state) => {
  const letter = texts.stateLetters[state];
  expect(STATES.filter((each) => texts.stateLetters[each] === letter)).toEqual([state]);
});
