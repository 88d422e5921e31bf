import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId, systemClock } from '@busbar/core';
import type { LogRow } from '@busbar/domain/history';
import { noRows } from '@busbar/domain/reports';
import { createStorePlatform, type StorePlatform } from '@busbar/runtime';
import { createReportStore } from '@busbar/store';
import { createRecordingLogger, eventually } from '@busbar/testing';
import { askRunningProcess } from './admin-client';
import { createAdminServer } from './admin-server';
import { followedLine, followLog } from './follow-log';

const logger = createRecordingLogger();
let directory: string;
let platform: StorePlatform;
let stop: (() => Promise<void>)[];
beforeEach(async () => {
  stop = [];
  directory = await mkdtemp(join(tmpdir(), 'admin-log-'));
  platform = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
  await platform.start();
});
afterEach(async () => {
  for (const each of stop) await each();
  await platform.stop();
  await rm(directory, { recursive: true });
});

async function serve(): Promise<void> {
  const server = createAdminServer({ directory, logger, context: { records: platform.records, clock: systemClock } });
  await server.start();
  stop.push(() => server.stop());
}

const ask = (line: string) => askRunningProcess(directory, line.split(' '));

async function registered(): Promise<string> {
  await ask('client create Acme');
  await ask('site create Yard');
  await ask('charger create ACME_1');
  return (await platform.records.chargers.find('ACME_1'))?.incarnationId ?? '';
}

it('shows the log of a charger from its end, and behind a cursor', async () => {
  await serve();
  const incarnationId = await registered();
  expect((await ask('charger log ACME_1'))?.lines.at(-1)).toBe('none');
  const store = async (action: string, over: Partial<LogRow> = {}): Promise<void> => {
    const row = {
      rowId: createId(),
      chargerId: 'ACME_1',
      incarnationId,
      ocppVersion: 'ocpp1.6',
      messageId: 'm',
      action,
    };
    const frames = { request: `[2,"m","${action}",{"text":"${'x'.repeat(100)}"}]`, response: '[3,"m",{}]' };
    const log = [{ ...row, ...frames, source: 'charger' as const, at: '2026-01-01T00:00:00.000Z', ...over }];
    await createReportStore(platform.store).write({ ...noRows(), log }, []);
  };
  await store('BootNotification');
  await store('Reset', { source: 'service', response: '[4,"m","GenericError","no",{}]' });
  const shown = await ask('charger log ACME_1 --limit 1');
  const [header, reset] = shown?.lines ?? [];
  expect(header).toBe('TIME                      DIRECTION   ACTION                         REQUEST / RESPONSE');
  expect(reset).toMatch(
    /^2026-01-01T00:00:00\.000Z {2}→ charger {3}Reset {26}\{"text":"x+… {2}⇒ {2}error \["GenericError","no",\{\}\]$/,
  );
  await store('', { request: '\u001b[2J', response: '' });
  const { cursor } = shown?.data as { cursor: string };
  const next = await ask(`charger log ACME_1 --full --after ${cursor}`);
  expect(next?.lines).toEqual([
    expect.stringMatching(/charger → {3}\(not OCPP\) +\\u001b\[2J {2}⇒ {2}\(no response\)$/),
  ]);
  await expect(ask('charger log ACME_1 --after yesterday')).rejects.toThrow('--after is a cursor');
});

it('shows additions to a followed log, once, until it is interrupted', async () => {
  const noProcess = followLog(followSettings(), ['charger', 'log', 'ACME_1'], followOptions([]));
  await expect(noProcess).rejects.toThrow('No process runs on');
  await serve();
  const incarnationId = await registered();
  const printed: string[] = [];
  const abort = new AbortController();
  logger.lines.splice(0);
  const line = followedLine(['charger', 'log', 'ACME_1', '--follow', '--limit', '5']) ?? [];
  const following = followLog(followSettings(), line, { ...followOptions(printed), signal: abort.signal });
  await eventually(() => printed.includes('none'));
  for (const action of ['BootNotification', 'Heartbeat']) {
    const row = {
      rowId: createId(),
      chargerId: 'ACME_1',
      incarnationId,
      ocppVersion: 'ocpp1.6',
      messageId: 'm',
      action,
    };
    const log = [{ ...row, request: '', response: '', source: 'charger' as const, at: '2026-01-01T00:00:00.000Z' }];
    await createReportStore(platform.store).write({ ...noRows(), log }, []);
    await eventually(() => printed.at(-1)?.includes(action));
  }
  abort.abort();
  await following;
  expect(printed).toHaveLength(4);
  const logged = logger.lines.filter(({ message }) => message === 'administration');
  expect(logged.filter(({ level, fields }) => level === 'info' && fields['command'] === 'charger log')).toHaveLength(1);
  expect(followedLine(['charger', 'log', 'ACME_1'])).toBeUndefined();
});

const followSettings = () => ({ storeUrl: `file:${directory}`, logLevel: 'error' as const });
const followOptions = (printed: string[]) => ({
  signal: new AbortController().signal,
  asJson: false,
  print: (text: string) => void printed.push(text),
});

it('shows the connections of a charger with the reason of their end', async () => {
  await serve();
  const incarnationId = await registered();
  expect((await ask('charger connections ACME_1'))?.lines[0]).toBe('none');
  const at = '2026-01-01T00:00:00.000Z';
  const connections = [
    {
      connectionId: 'c',
      chargerId: 'ACME_1',
      incarnationId,
      seq: 1,
      connectedAt: at,
      disconnectedAt: at,
      gatewayId: 'g',
      remoteAddress: null,
      ocppVersion: 'ocpp1.6',
      securityProfile: 2,
      closeCode: 1006,
      closeReason: 'lost without a close frame',
    },
  ];
  await createReportStore(platform.store).write({ ...noRows(), connections }, []);
  expect((await ask('charger connections ACME_1'))?.lines).toEqual([
    expect.stringMatching(/^CONNECTED +DISCONNECTED +ADDRESS +VERSION +PROFILE +CODE +REASON$/),
    `${at}  ${at}  unknown  ocpp1.6  2        1006  lost without a close frame`,
    '1 of 1, the newest first',
  ]);
});
