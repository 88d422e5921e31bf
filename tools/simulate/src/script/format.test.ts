import { parseScript } from './format';
import { tagsOf } from './tags';

const script = (...steps: string[]): string => ['steps:', ...steps.map((step) => `  - ${step}`)].join('\n');

it('reads YAML and JSON, with steps as bare words', () => {
  const yaml =
    'name: Two\nchargers: 2\nsteps:\n  - connect\n  - boot:\n  - on: 2\n    start: { tag: TAG-1 }\n  - wait: 0.5\n';
  const steps = [{ connect: null }, { boot: null }, { on: 2, start: { tag: 'TAG-1' } }, { wait: 0.5 }];
  expect(parseScript('a.yaml', yaml)).toEqual({ name: 'Two', chargers: 2, steps });
  expect(parseScript('a.json', JSON.stringify({ steps }))).toEqual({ steps });
});

it.each([
  ['steps: [', 'a.yaml, line 1: '],
  ['', 'a.yaml, line 1: the script must be object'],
  ['name: x\nstep: []', "a.yaml, line 1: the script must have required property 'steps'"],
  ['name: x\nstepz: []\nsteps: [connect]', 'a.yaml, line 1: the script has the unknown field "stepz"'],
  [script('connect', 'fly'), 'a.yaml, line 3: steps/1 has the unknown field "fly": a step is one of connect, boot,'],
  [script('connect', 'start: { socket: 1 }'), "a.yaml, line 3: steps/1/start must have required property 'tag'"],
  [script('connect', 'boot', 'wait: long'), 'a.yaml, line 4: steps/2/wait must be number'],
  [script('status: { socket: 1, status: Ready }'), 'a.yaml, line 2: steps/0/status/status must be equal to one of'],
  [script('expect: {}'), 'a.yaml, line 2: steps/0/expect must NOT have fewer than 1 properties'],
  [script('connect', '{ connect: , boot: }'), 'a.yaml, line 3: steps/1 names several steps (connect, boot)'],
  [script('on: 1'), 'a.yaml, line 2: steps/0 names no step'],
  [script('wait: 1e9'), 'a.yaml, line 2: steps/0/wait must be <= 3600'],
])('refuses %j with the line and the place', (source, sentence) => {
  expect(() => parseScript('a.yaml', source)).toThrow(sentence);
});

it('refuses an alias bomb', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]', 'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]'];
  bomb.push('c: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]', 'steps: [connect]');
  expect(() => parseScript('a.yaml', bomb.join('\n'))).toThrow('a.yaml, line 1: ');
});

it('registers the tags that a script expects to be accepted', () => {
  const source = script(
    'authorize: { tag: A }',
    'authorize: { tag: B, result: Invalid }',
    'start: { tag: A }',
    'start: { tag: C }',
    'start: { tag: D, result: Refused }',
  );
  expect(tagsOf(parseScript('a.yaml', source))).toEqual(['A', 'C']);
});
