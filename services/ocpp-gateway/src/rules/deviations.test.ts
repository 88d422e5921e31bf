// Every kind of THE list is counted: here what the gateway finds, in charger-state's test of the same name what only the
// record shows.
import { DEVIATIONS } from '@busbar/ocpp';
import { eventually } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

const ONLY_THE_RECORD_SHOWS = ['clock_off', 'surplus_connector', 'reused_seq_no', 'reused_transaction_id'];
const STATUS = '"connectorId":1,"status":"Available","errorCode":"NoError"';

type Commit = (world: GatewayWorld) => Promise<void>;

const frame =
  (text: string): Commit =>
  async (world) =>
    (await world.connect()).send(text);

const KINDS: Readonly<Record<string, Commit>> = {
  async no_subprotocol(world) {
    const compatibility = { ...world.acceptance().compatibility, assumeOcpp16: true };
    world.admit(() => world.acceptance({ compatibility }));
    await world.connect({ subprotocols: [] });
  },
  async empty_path_segment(world) {
    await world.connect({ url: `${world.origin}/ocpp//A` });
  },
  async hex_key(world) {
    world.admit(() => world.acceptance({ deviations: ['hex_key'] }));
    await world.connect();
  },
  vendor_field: frame(`[2,"1","StatusNotification",{${STATUS},"x":1}]`),
  unknown_enum_value: frame('[2,"1","StatusNotification",{"connectorId":1,"status":"Dreaming","errorCode":"NoError"}]'),
  zoneless_timestamp: frame(`[2,"1","StatusNotification",{${STATUS},"timestamp":"2026-01-01T00:00:00"}]`),
  null_field: frame(`[2,"1","StatusNotification",{${STATUS},"info":null,"vendorId":null}]`),
  overlong_text: frame(`[2,"1","StatusNotification",{${STATUS},"info":"${'i'.repeat(101)}"}]`),
  number_text: frame(`[2,"1","StatusNotification",{${STATUS},"info":5}]`),
  async empty_list(world) {
    const charger = await world.connect({ subprotocols: ['ocpp2.1'] });
    charger.send('[2,"1","Authorize",{"idToken":{"idToken":"A","type":"Central","additionalInfo":[]}}]');
  },
  fractional_meter: frame(
    '[2,"1","StopTransaction",{"transactionId":1,"meterStop":0.5,"timestamp":"2026-01-01T00:00:00Z"}]',
  ),
  empty_string: frame(`[2,"1","StatusNotification",{${STATUS},"timestamp":""}]`),
  null_payload: frame('[2,"1","Heartbeat",null]'),
  numeric_message_id: frame('[2,1,"Heartbeat",{}]'),
  long_message_id: frame(`[2,"${'1'.repeat(100)}","Heartbeat",{}]`),
  async unusable_send(world) {
    (await world.connect({ subprotocols: ['ocpp2.1'] })).send('[6,"1","Heartbeat",{}]');
  },
  async result_refused(world) {
    const charger = await world.connect({ subprotocols: ['ocpp2.1'] });
    await charger.call('Heartbeat', {}, 'beat');
    charger.send('[5,"beat","FormatViolation","",{}]');
  },
  async no_security(world) {
    await world.connect({ subprotocols: ['ocpp2.0.1'] });
  },
  async not_booted(world) {
    world.admit(() => world.acceptance({ bootStatus: 'none' }));
    (await world.connect({ subprotocols: ['ocpp2.0.1'] })).send('[2,"1","Heartbeat",{}]');
  },
  unmatched_answer: frame('[3,"nobody",{}]'),
  unknown_message_type: frame('[9]'),
  unreadable_frame: frame('{broken'),
};

let world: GatewayWorld;
afterEach(() => world.close());

it.each(Object.keys(DEVIATIONS).filter((kind) => !ONLY_THE_RECORD_SHOWS.includes(kind)))(
  'reports a deviation of the kind %s and counts it in the metrics, once',
  async (kind) => {
    world = await openWorld();
    const commit = KINDS[kind];
    if (commit === undefined) throw new Error(`nobody knows how a charger does ${kind}`);
    await commit(world);
    const metric = `busbar_gateway_deviations_total{kind="${kind}"}`;
    await eventually(async () => (await world.metric(metric)) > 0);
    await world.waitFor(({ deviations }) => deviations?.includes(kind) ?? false);
    expect(await world.metric(metric)).toBe(1);
  },
);
