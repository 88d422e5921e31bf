// A charger of OCPP 2.0.1 against the one-process mode, as the certification cases use it: scripted on one side, the v2 API on the other.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import type { AllInOneWorld } from './open-all-in-one';

export const VERSION = 'ocpp2.0.1';

export type Json = Readonly<Record<string, unknown>>;

export interface Station {
  readonly id: string;
  readonly charger: ScriptedCharger;
  post(path: string, body?: object): Promise<{ readonly status: number; readonly body: Json }>;
  record(): Promise<Json>;
  /** The payload of the last CALL of this action. */
  sent(action: string): unknown;
  /** The first session of it that is so, when there is one. */
  session(isSo: (session: Json) => boolean): Promise<Json>;
}

/** A charger that has booted, with two EVSEs whose connectors are available. */
export async function openStation(world: AllInOneWorld): Promise<Station> {
  const id = await world.register();
  const charger = await world.connect(id, { subprotocols: [VERSION] });
  await charger.v2.boot();
  await charger.v2.status(1, 1, 'Available');
  await charger.v2.status(2, 1, 'Available');
  await eventually(() => world.isActive(id));
  return {
    id,
    charger,
    async post(path, body = {}) {
      const reply = await world.v2('POST', `/chargers/${id}/${path}`, body);
      return { status: reply.status, body: reply.json() };
    },
    record: async () => (await world.v2('GET', `/chargers/${id}`)).json(),
    sent: (action) => charger.received.findLast((call) => call.action === action)?.payload,
    session: (isSo) =>
      eventually(async () => {
        const { items } = (await world.v2('GET', `/sessions?chargerIds=${id}`)).json() as {
          readonly items: readonly Json[];
        };
        return items.find(isSo);
      }),
  };
}

/** A tag of the client with a text of its own. */
export async function newTag(world: AllInOneWorld, fields: object = {}): Promise<string> {
  const idTag = `T${String(Date.now())}${String(Math.floor(Math.random() * 1_000_000))}`.slice(0, 20);
  const reply = await world.v2('POST', '/tags', { idTag, ...fields });
  if (reply.status !== 200) throw new Error(reply.text);
  return idTag;
}
