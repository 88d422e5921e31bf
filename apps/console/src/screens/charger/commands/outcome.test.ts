import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsTexts } from '../../../texts/commands';
import { outcomeOfFailure, outcomeOfStatus } from './outcome';

type Code = Parameters<typeof outcomeOfFailure>[0]['code'];

const ROOT = join(__dirname, '../../../../../..');
const ROW = /^\| `(?<code>\w+)` +\| (?<status>\d{3}) +\| [^|]+ \| [^|]+ \| (?<when>[^|]+)\|/gm;

const documented = [...readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(ROW)].map(({ groups }) => ({
  code: (groups?.['code'] ?? '') as Code,
  status: Number(groups?.['status']),
  when: groups?.['when'] ?? '',
}));

describe('the outcome of a command', () => {
  it('is known for every error code of docs/errors.md', () => {
    expect(documented.length).toBeGreaterThan(30);
    for (const { code, status } of documented) {
      const { title, sentence } = outcomeOfFailure({ code, status });
      expect([code, title]).toEqual([code, expect.stringMatching(/carried out/)]);
      expect(sentence).not.toBe('');
    }
  });

  it('says that the command may have been carried out exactly where the outcome is unknown', () => {
    const unknown = documented.filter(({ when }) => /outcome of the command is unknown/.test(when));
    expect(unknown.map(({ code }) => code).sort()).toEqual([
      'charger_disconnected',
      'charger_invalid_answer',
      'charger_timeout',
    ]);
    for (const failure of unknown) expect(outcomeOfFailure(failure).title).toBe(commandsTexts.notKnown);
    for (const code of ['charger_offline', 'tag_blocked', 'transaction_ended', 'forbidden', 'rate_limited'] as const) {
      expect(outcomeOfFailure({ code, status: 409 }).title).toBe(commandsTexts.notDone);
    }
    expect(outcomeOfFailure({ code: 'charger_busy', status: 503 }).title).toBe(commandsTexts.notDone);
    expect(outcomeOfFailure({ code: 'charger_error', status: 502 }).title).toBe(commandsTexts.notDone);
    expect(outcomeOfFailure({ code: 'unavailable', status: 503 }).title).toBe(commandsTexts.notKnown);
    expect(outcomeOfFailure({ code: 'no_response', status: 0 }).title).toBe(commandsTexts.notKnown);
  });

  it('has a sentence of its own for each documented error of a charger', () => {
    const own: Readonly<Record<string, string>> = commandsTexts.outcomes;
    const ofChargers = documented.filter(({ code }) => /^charger_(?!id_)/.test(code));
    for (const { code } of ofChargers) expect([code, own[code]]).toEqual([code, expect.any(String)]);
  });

  it.each([
    ['Accepted', 'good'],
    ['Scheduled', 'good'],
    ['NoProfiles', 'good'],
    ['Rejected', 'bad'],
    ['SomethingOfAVendor', 'bad'],
  ])('%s is %s', (status, tone) => {
    expect(outcomeOfStatus(status).tone).toBe(tone);
  });

  it('of an action without a status is the answer itself', () => {
    expect(outcomeOfStatus(null).tone).toBe('good');
  });
});
