// The one-process mode with its default settings, and the certificate that a charger must trust.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { openEmbeddedWorld } from '../harness/embedded';
import { errorLines } from '../harness/error-lines';
import type { OwnWorld, World } from '../harness/world';
import type { ForeignCharger } from './foreign-charger';

export interface InteropWorld extends OwnWorld {
  /** PEM file of the certificate that the service made for itself. */
  readonly certificate: string;
  /** `ws://…/ocpp/`, for chargers without TLS. */
  plainOcpp(): Promise<string>;
}

export async function openInteropWorld(env: Readonly<Record<string, string>> = {}): Promise<InteropWorld> {
  const world = await openEmbeddedWorld(env);
  const directory = mkdtempSync(join(tmpdir(), 'busbar-interop-'));
  const certificate = join(directory, 'service.pem');
  writeFileSync(certificate, await certificateOf(world));
  return {
    ...world,
    certificate,
    async plainOcpp() {
      const { host, port } = await world.program('gateway').bound('plain');
      return `ws://${host}:${String(port)}/ocpp/`;
    },
    async stop() {
      await world.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A world for all tests of the file, and their chargers, which end after each test. */
export function withInteropWorld(withinMs: number): {
  readonly world: () => InteropWorld;
  readonly kept: (charger: ForeignCharger) => ForeignCharger;
} {
  let world: InteropWorld | undefined;
  const chargers: ForeignCharger[] = [];
  const opened = (): InteropWorld => {
    if (world === undefined) throw new Error('the world is there only inside tests and their hooks');
    return world;
  };

  beforeAll(async () => {
    world = await openInteropWorld();
  }, withinMs);

  afterEach(async () => {
    await Promise.all(chargers.splice(0).map((charger) => charger.stop()));
    expect(errorLines(opened().program('gateway').output())).toEqual([]);
  }, withinMs);

  afterAll(() => world?.stop(), withinMs);

  return {
    world: opened,
    kept(charger) {
      chargers.push(charger);
      return charger;
    },
  };
}

async function certificateOf(world: World): Promise<string> {
  const { hostname, port } = new URL(world.addresses().v2);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  try {
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    const bytes = socket.getPeerCertificate().raw.toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${bytes.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  } finally {
    socket.destroy();
  }
}
