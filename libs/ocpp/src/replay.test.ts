import { createReplay, type Replay } from './replay';

const ref = (id: string, numericId = false, action = 'StatusNotification') => ({ id, numericId, action });
const a = ref('a');
const heartbeat = '[2,"a","Heartbeat",{}]';

describe('repeated frames', () => {
  it('28. answers the same frame again identically', () => {
    const replay = createReplay();
    expect(replay.begin(a, heartbeat)).toEqual({ kind: 'new' });
    expect(replay.recordAnswer(a, 'answer')).toBe(1);
    expect(replay.begin(a, heartbeat)).toEqual({ kind: 'answered', answer: 'answer' });
    expect(replay.begin(a, heartbeat)).toEqual({ kind: 'answered', answer: 'answer' });
  });

  it('28. reports the same id with other content as a conflict, before and after the answer', () => {
    const replay = createReplay();
    replay.begin(a, heartbeat);
    expect(replay.begin(a, '[2,"a","Heartbeat",{"x":1}]')).toEqual({ kind: 'conflict' });
    replay.recordAnswer(a, 'answer');
    expect(replay.begin(a, '[2,"a","Heartbeaf",{}]')).toEqual({ kind: 'conflict' });
    expect(replay.begin(a, heartbeat)).toMatchObject({ kind: 'answered' });
  });

  it('28. causes no second effect during processing, and answers each copy', () => {
    const replay = createReplay();
    replay.begin(a, heartbeat);
    expect(replay.begin(a, heartbeat)).toEqual({ kind: 'open' });
    expect(replay.begin(a, heartbeat)).toEqual({ kind: 'open' });
    expect(replay.recordAnswer(a, 'answer')).toBe(3);
  });

  it('28. answers a limited number of times in a storm of copies', () => {
    const replay = createReplay();
    replay.begin(a, heartbeat);
    for (let i = 0; i < 1_000; i += 1) replay.begin(a, heartbeat);
    expect(replay.recordAnswer(a, 'answer')).toBe(8);
  });

  it('28. distinguishes the number 1 and the text "1" as ids', () => {
    const replay = createReplay();
    expect(replay.begin(ref('1'), '[2,"1","Heartbeat",{}]').kind).toBe('new');
    expect(replay.begin(ref('1', true), '[2,1,"Heartbeat",{}]').kind).toBe('new');
  });

  it('69. processes a frame again after a temporary failure', () => {
    const replay = createReplay();
    replay.begin(a, heartbeat);
    replay.begin(a, heartbeat);
    expect(replay.forget(a)).toBe(2);
    expect(replay.begin(a, heartbeat)).toEqual({ kind: 'new' });
  });

  it('remembers the last answers only', () => {
    const replay = createReplay(2);
    for (const id of ['a', 'b', 'c']) {
      replay.begin(ref(id), id);
      replay.recordAnswer(ref(id), id);
    }
    expect(replay.begin(ref('c'), 'c').kind).toBe('answered');
    expect(replay.begin(ref('b'), 'b').kind).toBe('answered');
    expect(replay.begin(a, 'a').kind).toBe('new');
  });

  it('evicts answered calls before open ones', () => {
    const replay = createReplay(2);
    replay.begin(a, 'a');
    for (const id of ['b', 'c', 'd']) {
      replay.begin(ref(id), id);
      replay.recordAnswer(ref(id), id);
    }
    expect(replay.begin(a, 'a')).toEqual({ kind: 'open' });
  });

  it('limits the number of open calls', () => {
    const replay = createReplay(2);
    for (let i = 0; i < 257; i += 1) replay.begin(ref(String(i)), 'x');
    expect(replay.begin(ref('256'), 'x').kind).toBe('open');
    expect(replay.begin(ref('1'), 'x').kind).toBe('open');
    expect(replay.begin(ref('0'), 'x').kind).toBe('new');
  });

  it('answers an unknown call once', () => {
    const replay = createReplay();
    expect(replay.recordAnswer(a, 'answer')).toBe(1);
    expect(replay.forget(a)).toBe(1);
  });

  it('distinguishes frames that differ in one character', () => {
    const text = heartbeat.repeat(4);
    for (let i = 0; i < text.length; i += 1) {
      const replay = createReplay();
      replay.begin(a, text);
      expect(replay.begin(a, `${text.slice(0, i)}~${text.slice(i + 1)}`).kind).toBe('conflict');
    }
  });

  it('119. repeats no answer to a boot or a heartbeat on a later connection', () => {
    for (const [action, kind] of [
      ['BootNotification', 'new'],
      ['Heartbeat', 'new'],
      ['SecurityEventNotification', 'answered'],
    ] as const) {
      const replay = createReplay();
      const call = ref('1', false, action);
      replay.begin(call, action);
      replay.recordAnswer(call, 'answer');
      expect(replay.begin(call, action).kind).toBe('answered');
      const later = createReplay(undefined, { entries: replay.entries(), isFresh: () => true });
      expect(later.begin(call, action).kind).toBe(kind);
    }
  });

  const TIMED = { status: 'Available', timestamp: '2026-01-01T00:00:00Z' };
  const UNTIMED = { status: 'Idle' };
  const boot = ref('1', false, 'BootNotification');
  const earlier = (...replays: readonly Replay[]) => ({
    entries: replays.flatMap((replay) => replay.entries()),
    isFresh: () => true,
  });
  it.each<[string, object, (first: Replay) => Replay, string]>([
    ['without a boot, with no time of its own', UNTIMED, (first) => createReplay(8, earlier(first)), 'answered'],
    ['after a boot, with a time of its own', TIMED, (first) => booted(createReplay(8, earlier(first))), 'answered'],
    ['after a boot, with no time of its own', UNTIMED, (first) => booted(createReplay(8, earlier(first))), 'new'],
    ['after a boot on the connection before', UNTIMED, (first) => createReplay(8, earlier(booted(first))), 'new'],
    [
      'after a boot on an unknown connection',
      UNTIMED,
      (first) => createReplay(8, { ...earlier(first), mayHaveBooted: true }),
      'new',
    ],
    [
      'after a time that a clock has which is not set',
      { ...TIMED, timestamp: '1970-01-01T00:00:01Z' },
      (first) => booted(createReplay(8, earlier(first))),
      'new',
    ],
  ])('119. on a later connection has a repeat %s', (_title, payload, later, kind) => {
    const first = createReplay();
    const call = { ...ref('2'), payload };
    first.begin(call, 'text');
    first.recordAnswer(call, 'answer');
    expect(later(first).begin(call, 'text').kind).toBe(kind);
  });

  function booted(replay: Replay): Replay {
    replay.begin(boot, 'boot');
    return replay;
  }

  it('116. forgets each earlier answer under the id', () => {
    const entries = ['one', 'other'].flatMap((text) => {
      const replay = createReplay();
      replay.begin(a, text);
      replay.recordAnswer(a, text);
      return replay.entries();
    });
    const later = createReplay(undefined, { entries, isFresh: () => true });
    later.forget(a);
    expect(later.entries()).toEqual([]);
  });
});
