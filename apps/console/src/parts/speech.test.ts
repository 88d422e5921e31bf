import { createSpeech } from './speech';

describe('what is read aloud', () => {
  let spoken: string[];
  let speech: ReturnType<typeof createSpeech>;

  beforeEach(() => {
    jest.useFakeTimers();
    spoken = [];
    speech = createSpeech((sentence) => spoken.push(sentence));
  });

  afterEach(() => jest.useRealTimers());

  it('is one change in five seconds, the latest', () => {
    speech.announce('one');
    jest.advanceTimersByTime(0);
    speech.announce('two');
    jest.advanceTimersByTime(4_000);
    speech.announce('three');
    jest.advanceTimersByTime(999);
    expect(spoken).toEqual(['one']);
    jest.advanceTimersByTime(1);
    expect(spoken).toEqual(['one', 'three']);
  });

  it('is at once what came of an act of the reader, and what waits five seconds after it', () => {
    speech.announce('one');
    jest.advanceTimersByTime(0);
    speech.announce('two');
    jest.advanceTimersByTime(4_999);
    speech.respond('done');
    speech.respond('done again');
    expect(spoken).toEqual(['one', 'done', 'done again']);
    jest.advanceTimersByTime(4_999);
    speech.announce('three');
    expect(spoken).toHaveLength(3);
    jest.advanceTimersByTime(1);
    expect(spoken).toEqual(['one', 'done', 'done again', 'three']);
    speech.announce('four');
    jest.advanceTimersByTime(5_000);
    expect(spoken.at(-1)).toBe('four');
  });

  it('is nothing after it was stopped', () => {
    speech.announce('one');
    speech.stop();
    jest.runAllTimers();
    expect(spoken).toEqual([]);
  });
});
