// Real-time authorization as a gateway does it: real sockets, and the test plays services/push.
import {
  channels,
  type AuthorizationAnswer,
  type AuthorizationRequest,
  type AuthorizationTerms,
  type ReportEnvelope,
} from '@busbar/contracts';
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

type Answer = AuthorizationAnswer | Promise<AuthorizationAnswer>;

const TERMS: AuthorizationTerms = { revision: '1', timeoutS: 3, onFailure: 'refuse' };
const ACCEPTED: AuthorizationAnswer = { outcome: 'judged', verdict: 'accepted', tookMs: 7, validForMs: 60_000 };

let world: GatewayWorld;
let questions: AuthorizationRequest[];

beforeEach(async () => {
  questions = [];
  world = await openWorld();
});
afterEach(() => world.close());

/** Its client has an endpoint with these terms. */
async function connect(terms: AuthorizationTerms | null = TERMS): Promise<ScriptedCharger> {
  const ofClient = { clientId: 'client', siteId: 3, ...(terms === null ? {} : { authorization: terms }) };
  world.admit(() => world.acceptance(ofClient));
  return world.connect();
}

/** Plays services/push. */
async function push(answer: (request: AuthorizationRequest) => Answer): Promise<void> {
  await world.broker.respond(channels.authorisations, '', (request) => {
    questions.push(request);
    return Promise.resolve(answer(request));
  });
}

/** Leaves questions without an answer until the test gives one. */
function pending() {
  const waiting: ((answer: AuthorizationAnswer) => void)[] = [];
  return { wait: () => new Promise<AuthorizationAnswer>((resolve) => waiting.push(resolve)), waiting };
}

const start = (idTag: string, timestamp = new Date().toISOString()) => ({
  connectorId: 2,
  idTag,
  meterStart: 0,
  timestamp,
});
const decisions = (): ReportEnvelope[] => world.reports.filter(({ kind }) => kind === 'decision');
const sent = () => world.reports.filter(({ raw }) => raw !== '').map(({ action }) => action);
const startsOfReports = (): unknown[] => decisions().map(({ authorization }) => authorization);

describe('a CALL with a tag', () => {
  it('is published with the verdict of the endpoint', async () => {
    await push(() => ({ ...ACCEPTED, parentIdTag: 'P', expiresAt: '2030-01-01T00:00:00.000Z' }));
    const charger = await connect();
    await charger.authorize('Tag');
    expect(questions).toMatchObject([
      { clientId: 'client', incarnationId: 'incarnation', rfidTag: 'Tag', socketId: null, action: 'authorize' },
    ]);
    const authorization = {
      source: 'endpoint',
      verdict: 'accepted',
      tookMs: 7,
      parentIdTag: 'P',
      expiresAt: '2030-01-01T00:00:00.000Z',
    };
    expect(decisions()).toMatchObject([{ v: 3, action: 'Authorize', authorization }]);
    expect(await world.metric('busbar_authorisations_total{source="endpoint"}')).toBe(1);
  });

  it.each<[string, AuthorizationAnswer, ReportEnvelope['authorization']]>([
    ['a refusal', { ...ACCEPTED, verdict: 'no_credit' }, { source: 'endpoint', verdict: 'no_credit', tookMs: 7 }],
    ['an own tag', { outcome: 'own' }, { source: 'own', verdict: 'unknown', tookMs: null }],
    [
      'a failure',
      { outcome: 'failed', verdict: 'accepted', tookMs: 9, error: 'timeout' },
      { source: 'fallback', verdict: 'accepted', tookMs: 9 },
    ],
  ])('is published with %s', async (_title, answer, authorization) => {
    await push(() => answer);
    const charger = await connect();
    await charger.call('StartTransaction', start('Tag'));
    expect(questions).toMatchObject([{ socketId: 2, action: 'start' }]);
    expect(startsOfReports()).toEqual([authorization]);
  });

  it('is published as ever where no endpoint applies to the charger', async () => {
    await push(() => ({ outcome: 'not_asked' }));
    const charger = await connect();
    await charger.authorize('Tag');
    expect(decisions()).toMatchObject([{ v: 1 }]);
    expect(startsOfReports()).toEqual([undefined]);
  });

  it('is not asked about for a client without an endpoint, nor with a charger-state that names none', async () => {
    await push(() => ACCEPTED);
    const charger = await connect(null);
    await charger.authorize('Tag');
    world.admit(() => world.acceptance());
    await (await world.connect()).authorize('Tag');
    expect(questions).toEqual([]);
    expect(decisions().map(({ v, authorization }) => [v, authorization])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
  });

  it('is not asked about for a start that is reported late: onFailure counts', async () => {
    await push(() => ACCEPTED);
    const charger = await connect();
    const now = Date.now();
    await charger.call('StartTransaction', start('Tag', new Date(now - 301_000).toISOString()));
    await charger.call('StartTransaction', start('Tag', new Date(now - 290_000).toISOString()));
    // A clock that was never set says nothing of the time.
    await charger.call('StartTransaction', start('Other', '1970-01-01T00:00:00Z'));
    expect(questions.map(({ rfidTag }) => rfidTag)).toEqual(['Tag', 'Other']);
    expect(startsOfReports()).toMatchObject([
      { source: 'fallback', verdict: 'unknown', tookMs: null },
      { source: 'endpoint' },
      { source: 'endpoint' },
    ]);
  });

  it('is never asked about for a stop', async () => {
    await push(() => ACCEPTED);
    const charger = await connect();
    const stop = { transactionId: 1, idTag: 'Tag', meterStop: 1, timestamp: new Date().toISOString() };
    await charger.call('StopTransaction', stop);
    expect([questions, startsOfReports()]).toEqual([[], [undefined]]);
  });
});

describe('without an answer', () => {
  it.each([
    ['refuse', 'unknown'],
    ['accept', 'accepted'],
  ] as const)('onFailure %s counts at once while nobody of push is there', async (onFailure, verdict) => {
    const charger = await connect({ ...TERMS, onFailure });
    await charger.authorize('Tag');
    expect(startsOfReports()).toEqual([{ source: 'fallback', verdict, tookMs: null }]);
    expect(await world.metric('busbar_authorisations_total{source="fallback"}')).toBe(1);
  });

  it('the charger is answered half a second after the time of the endpoint, and a late answer is dropped', async () => {
    const { wait, waiting } = pending();
    await push(wait);
    const charger = await connect({ ...TERMS, timeoutS: 1 });
    await charger.authorize('Tag');
    waiting[0]?.(ACCEPTED);
    await charger.heartbeat();
    expect(startsOfReports()).toMatchObject([{ source: 'fallback', verdict: 'unknown' }]);
  });

  it('a charger at a site without the endpoint is judged as ever', async () => {
    const charger = await connect({ ...TERMS, siteIds: [1, 2] });
    await charger.authorize('Tag');
    const other = await connect({ ...TERMS, siteIds: [3] });
    await other.authorize('Tag');
    expect(startsOfReports()).toMatchObject([undefined, { source: 'fallback' }]);
  });
});

describe('while a tag is being judged', () => {
  it("the charger's frames are published behind it in the order received, and answered in order", async () => {
    const { wait, waiting } = pending();
    await push(wait);
    const charger = await connect();
    await world.waitFor(({ kind }) => kind === 'connected');
    charger.send('[2,"1","Authorize",{"idTag":"A"}]');
    charger.send('[2,"2","StatusNotification",{"connectorId":1,"status":"Available","errorCode":"NoError"}]');
    charger.send('[2,"3","NoSuchAction",{}]');
    charger.send('[2,"4","Authorize",{"idTag":"B"}]');
    charger.send('[2,"5","Heartbeat",{}]');
    await eventually(() => waiting.length === 1);
    expect(sent()).toEqual([]);
    waiting[0]?.(ACCEPTED);
    // The second tag has its own question, in its turn.
    await eventually(() => waiting.length === 2);
    await eventually(() => sent().length === 3);
    expect(sent()).toEqual(['Authorize', 'StatusNotification', 'NoSuchAction']);
    waiting[1]?.(ACCEPTED);
    await eventually(() => sent().length === 5);
    expect(sent().slice(3)).toEqual(['Authorize', 'Heartbeat']);
    const reports = world.reports.filter(({ raw }) => raw !== '');
    expect(reports.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6]);
    await eventually(() => charger.frames.filter(({ from }) => from === 'service').length === 5);
    const answered = charger.frames
      .filter(({ from }) => from === 'service')
      .map(({ text }) => JSON.parse(text) as unknown[]);
    expect(answered.map(([, id]) => id)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('other chargers wait for nothing, also those of the same client', async () => {
    const { wait, waiting } = pending();
    await push((request) => (request.rfidTag === 'Slow' ? wait() : ACCEPTED));
    const slow = await connect();
    const others = [await connect(), await connect(), await connect(null)];
    slow.send('[2,"slow","Authorize",{"idTag":"Slow"}]');
    await eventually(() => waiting.length === 1);
    for (const other of others) {
      await other.authorize('Tag');
      await other.heartbeat();
    }
    // All of that was answered before the one that waits.
    expect(slow.frames.filter(({ from }) => from === 'service')).toEqual([]);
    waiting[0]?.(ACCEPTED);
    await eventually(() => slow.frames.some(({ from }) => from === 'service'));
  });

  it('its socket is not read beyond 20 frames behind it, and is read again afterwards', async () => {
    const { wait, waiting } = pending();
    await push(wait);
    const charger = await connect();
    charger.send('[2,"a","Authorize",{"idTag":"A"}]');
    for (let n = 0; n < 18; n += 1) charger.send(`[2,"h${String(n)}","Heartbeat",{}]`);
    const frames = () => world.metric('busbar_gateway_frames_total{type="call"}');
    await eventually(async () => (await frames()) === 19);
    expect(await world.metric('busbar_gateway_paused_sockets')).toBe(0);
    charger.send('[2,"last","Heartbeat",{}]');
    await eventually(async () => (await world.metric('busbar_gateway_paused_sockets')) === 1);
    charger.send('[2,"unread","Heartbeat",{}]');
    expect(await frames()).toBe(20);
    waiting[0]?.(ACCEPTED);
    await eventually(async () => (await frames()) === 21);
    expect(await world.metric('busbar_gateway_paused_sockets')).toBe(0);
  });

  it('a socket that closes leaves the CALL unpublished, and what is behind it published', async () => {
    const { wait, waiting } = pending();
    await push(wait);
    const charger = await connect();
    charger.send(JSON.stringify([2, '1', 'StartTransaction', start('A')]));
    charger.send('[2,"2","StatusNotification",{"connectorId":1,"status":"Available","errorCode":"NoError"}]');
    charger.send('[2,"3","Authorize",{"idTag":"B"}]');
    await eventually(() => waiting.length === 1);
    await eventually(async () => (await world.metric('busbar_gateway_frames_total{type="call"}')) === 3);
    charger.terminate();
    await world.waitFor(({ kind }) => kind === 'disconnected');
    waiting[0]?.(ACCEPTED);
    // A later charger's message has passed everything.
    await (await connect(null)).heartbeat();
    const ofFirst = world.reports.filter(({ order }) => order === 1);
    expect(ofFirst.map(({ kind, action }) => [kind, action])).toEqual([
      ['connected', ''],
      ['report', 'StatusNotification'],
      ['disconnected', ''],
    ]);
    expect(questions).toHaveLength(1);
  });
});

describe('a verdict', () => {
  it('is used again for the same tag of the connection, in any case', async () => {
    await push(({ rfidTag }) => (rfidTag === 'No' ? { ...ACCEPTED, verdict: 'blocked' } : ACCEPTED));
    const charger = await connect();
    await charger.authorize('Tag');
    await charger.call('StartTransaction', start('tAG'));
    await charger.authorize('No');
    await charger.authorize('No');
    expect(questions.map(({ rfidTag }) => rfidTag)).toEqual(['Tag', 'No']);
    expect(startsOfReports()).toEqual([
      { source: 'endpoint', verdict: 'accepted', tookMs: 7 },
      { source: 'endpoint', verdict: 'accepted', tookMs: null },
      { source: 'endpoint', verdict: 'blocked', tookMs: 7 },
      { source: 'endpoint', verdict: 'blocked', tookMs: null },
    ]);
  });

  it.each<[string, AuthorizationAnswer]>([
    ['without a time', { ...ACCEPTED, validForMs: 0 }],
    ['of a fallback', { outcome: 'failed', verdict: 'accepted', tookMs: 1, error: 'timeout' }],
    ['of an own tag', { outcome: 'own' }],
  ])('%s is not used again', async (_title, answer) => {
    await push(() => answer);
    const charger = await connect();
    await charger.authorize('Tag');
    await charger.authorize('Tag');
    expect(questions).toHaveLength(2);
  });

  it('is not used on another connection', async () => {
    await push(() => ACCEPTED);
    await (await connect()).authorize('Tag');
    await (await connect()).authorize('Tag');
    expect(questions).toHaveLength(2);
  });

  it('is kept of the eight tags used last', async () => {
    await push(() => ACCEPTED);
    const charger = await connect();
    for (const tag of ['1', '2', '3', '4', '5', '6', '7', '8', '1', '9']) await charger.authorize(tag);
    expect(questions).toHaveLength(9);
    await charger.authorize('1');
    expect(questions).toHaveLength(9);
    await charger.authorize('2');
    expect(questions).toHaveLength(10);
  });
});

describe('a change of the settings', () => {
  const announce = (terms: AuthorizationTerms | undefined, clientId = 'client') => {
    world.broker.broadcast(channels.authorisationTerms, {
      clients: [terms === undefined ? { clientId } : { clientId, terms }],
    });
  };

  it('begins and ends the questions of open connections', async () => {
    await push(() => ({ ...ACCEPTED, validForMs: 0 }));
    const charger = await connect(null);
    announce(TERMS, 'another');
    await charger.authorize('1');
    announce(TERMS);
    await charger.authorize('2');
    announce(undefined);
    await charger.authorize('3');
    expect(questions.map(({ rfidTag }) => rfidTag)).toEqual(['2']);
  });

  it('ends kept verdicts, and a repeated notice does not', async () => {
    await push(() => ACCEPTED);
    const charger = await connect();
    await charger.authorize('Tag');
    announce(TERMS);
    await charger.authorize('Tag');
    expect(questions).toHaveLength(1);
    announce({ ...TERMS, revision: '2' });
    await charger.authorize('Tag');
    expect(questions).toHaveLength(2);
  });
});
