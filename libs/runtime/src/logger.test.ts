import { createLogger } from './logger';

function captured(level: 'info' | 'debug' = 'info') {
  const lines: string[] = [];
  const logger = createLogger({ level, name: 'test', destination: { write: (line) => void lines.push(line) } });
  return { lines, logger };
}

it('writes one JSON object with the level as a word, an ISO time and the name', () => {
  const { lines, logger } = captured();
  logger.info({ chargerId: 'ACME_1' }, 'charger connected');
  const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  expect(line).toMatchObject({ level: 'info', name: 'test', chargerId: 'ACME_1', msg: 'charger connected' });
  expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

it('does not write less severe lines than the level', () => {
  const { lines, logger } = captured('info');
  logger.debug({}, 'a frame');
  logger.child({ chargerId: 'A' }).debug({}, 'a frame');
  expect(lines).toEqual([]);
});

it.each([
  { apiKey: 'hunter2' },
  { headers: { authorization: 'hunter2' } },
  { request: { headers: { 'x-api-key': 'hunter2' } } },
  { a: { query: { values: { code: 'hunter2' } } } },
  { input: { password: 'hunter2', authorizationKey: 'hunter2' } },
])('hides a secret at any of the depths that occur: %j', (fields) => {
  const { lines, logger } = captured();
  logger.info(fields, 'request');
  logger.child(fields).info({}, 'request');
  expect(lines.join('')).not.toContain('hunter2');
  expect(lines.join('')).toContain('[hidden]');
});

it.each([
  [{ list: [{ id: 1 }, { password: 'hunter2' }] }, { list: [{ id: 1 }, { password: '[hidden]' }] }],
  [
    { at: new Date(0), apiKey: '' },
    { at: '1970-01-01T00:00:00.000Z', apiKey: '[hidden]' },
  ],
  [{ a: { b: { c: { d: { secret: 'too deep' } } } } }, { a: { b: { c: { d: { secret: 'too deep' } } } } }],
  [{ secret: null, none: undefined }, { secret: '[hidden]' }],
])('keeps the rest of a line with a secret: %j', (fields, shown) => {
  const { lines, logger } = captured();
  logger.child({ password: 'hunter2' }).child({ chargerId: 'A' }).info(fields, 'request');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ password: '[hidden]', chargerId: 'A', ...shown });
});

it('leaves the fields of the caller as they are', () => {
  const fields = { headers: { authorization: 'hunter2' } };
  captured().logger.info(fields, 'request');
  expect(fields).toEqual({ headers: { authorization: 'hunter2' } });
});

it('keeps the message of an error beside a secret', () => {
  const { lines, logger } = captured();
  logger.error({ apiKey: 'hunter2', err: Object.assign(new Error('refused'), { code: 'EPIPE' }) }, 'failed');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    apiKey: '[hidden]',
    err: { message: 'refused', errorCode: 'EPIPE' },
  });
});

it('keeps the message, code, stack and causes of an error', () => {
  const { lines, logger } = captured();
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  logger.error({ err: new Error('it broke', { cause }) }, 'failed');
  const line = JSON.parse(lines[0] ?? '') as { err: Record<string, unknown> };
  expect(line.err).toMatchObject({
    message: 'it broke',
    stack: expect.stringContaining('logger.test.ts') as string,
    cause: { message: 'refused', errorCode: 'ECONNREFUSED' },
  });
});

it('ends a circle of causes', () => {
  const { lines, logger } = captured();
  const error = new Error('round');
  error.cause = error;
  logger.error({ err: error }, 'failed');
  expect(lines).toHaveLength(1);
});
