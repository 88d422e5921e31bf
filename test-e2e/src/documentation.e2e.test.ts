// Runs the commands of the documentation: each shell line with curl in README.md and docs/migrating-from-legacy.md, in
// order, in both ways of running; a block of JSON below a line is compared with the answer. And each example of the documents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bodyExample,
  operationFinder,
  operationsOf,
  type DocumentedBodies,
  type DocumentedBody,
} from '@busbar/http/testing';
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { callOf, expectShown, linesOf, ROOT, valueOf } from './harness/documented-commands';
import { http } from './harness/http';
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, readV2, registerCharger, v2, type World } from './harness/world';

interface Operation extends DocumentedBody {
  readonly operationId: string;
  readonly tags: readonly string[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: DocumentedBodies['components'] & {
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
  };
}

inBothOwnWorlds((world) => {
  const chargers: ScriptedCharger[] = [];
  afterEach(() => {
    for (const charger of chargers.splice(0)) charger.terminate();
  });

  /** Connects the charger and begins a session at its first socket. */
  async function begin(chargerId: string, idTag: string): Promise<number> {
    await v2(world(), '/tags', { method: 'POST', body: { idTag } });
    const charger = await connect(world(), chargerId, {
      answers: { GetInstalledCertificateIds: () => ({ status: 'NotFound' }) },
    });
    chargers.push(charger);
    await charger.boot();
    const { transactionId } = await charger.start({ connectorId: 1, idTag, meterStart: 0 });
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    return Number(transactionId);
  }

  // One test: the way from the v1 API begins on a network with nothing in it, and leaves nothing.
  it('runs every command and every example of the migration guide and the README as shown', async () => {
    let transactionId: number | undefined;
    for (const line of linesOf('docs/migrating-from-legacy.md')) {
      // The commands need a charger with a session in progress: as soon as the one they name is there.
      if (transactionId === undefined && (await isThere(world(), 'ACME_1'))) {
        transactionId = await begin('ACME_1', 'CARD7');
      }
      await expectShown(world(), line, { TRANSACTION_ID: String(transactionId ?? 0) });
    }
    const lines = linesOf('README.md');
    expect(lines.length).toBeGreaterThan(2);
    const variables: Record<string, string> = {};
    for (const line of lines) {
      if (line.variable === undefined) await expectShown(world(), line, variables);
      else variables[line.variable] = await valueOf(world(), line.command, line.variable);
    }
    expect(variables['SITE_ID']).toMatch(/^\d+$/);

    const { chargerId } = await registerCharger(world());
    await begin(chargerId, '04E91C5A123B80');
    const outcomes = await outcomesOfExamples(world(), chargerId);
    expect(outcomes.length).toBeGreaterThan(10);
    // The session of the example is another charger's or none, and OCPP 1.6 has no variables, no network profiles, no reports, no display messages, no monitors, no streams and no dynamic profiles.
    const expected =
      / 200$|^(stopTransaction|readTransactionStatus|readReport|updateSessionCost|usePriorityCharging) 404 not_found$|^(\w+Variables|set(NetworkProfile|DisplayMessage|Monitors|Monitoring)|clearMonitors|adjustEventStream|updateDynamicSchedule|request(Report|CustomerInformation)) 409 not_supported_by_version$/;
    expect(outcomes.filter((outcome) => !expected.test(outcome))).toEqual([]);
  }, 240_000);

  it('has every call of the v1 API in the migration guide, and only existing calls', async () => {
    const lines = linesOf('docs/migrating-from-legacy.md');
    const older = operationsOf(await documentAt(`${world().addresses().api}/swagger.json`));
    const newer = operationsOf(await documentAt(`${world().addresses().v2}/openapi.json`));
    const find = operationFinder([...older, ...newer]);
    const called = new Set(lines.map((line) => find(...callOf(line))));
    expect(older.filter((operation) => called.has(operation))).toEqual(older);
    expect(older.length + newer.filter((operation) => called.has(operation)).length).toBeGreaterThan(0);
    expect(lines.filter((line) => find(...callOf(line)) === undefined)).toEqual([]);
  });

  it('names every field of the v1 API in the migration guide', async () => {
    const { components } = await documentAt(`${world().addresses().api}/swagger.json`);
    const words = new Set(readFileSync(join(ROOT, 'docs/migrating-from-legacy.md'), 'utf8').match(/\w+/g));
    const fields = Object.values(components.schemas).flatMap(({ properties }) => Object.keys(properties ?? {}));
    expect(fields.length).toBeGreaterThan(40);
    expect(fields.filter((field) => !words.has(field))).toEqual([]);
  });
});

/** The example of each command of the newer document, sent to this charger as it stands, and what came of it. */
async function outcomesOfExamples(world: World, chargerId: string): Promise<readonly string[]> {
  const document = await documentAt(`${world.addresses().v2}/openapi.json`);
  const outcomes: string[] = [];
  for (const { method, template, definition: operation } of operationsOf(document)) {
    const body = bodyExample(document, operation);
    if (body === undefined || !operation.tags.includes('Commands')) continue;
    const numbers = { slot: '1', streamId: '1', chargingProfileId: '1', transactionId: '2000000000' };
    const parts: Readonly<Record<string, string>> = { chargerId, ...numbers };
    const path = template.replace('/v2', '').replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
    const { status, json } = await v2(world, path, { method, body });
    outcomes.push(`${operation.operationId} ${String(status)} ${(json as { code?: string }).code ?? ''}`.trim());
  }
  return outcomes;
}

async function isThere(world: World, chargerId: string): Promise<boolean> {
  return (await v2(world, `/chargers/${chargerId}`)).status === 200;
}

async function documentAt(url: string): Promise<Document> {
  return (await http(url)).json as Document;
}
