// The texts of the fields of events in the document, by name. Where a name means something else in one type, that has its own.
import { exampleEvent } from '@busbar/domain/feed';

const TEXTS: Readonly<Record<string, string>> = {
  id: 'The same however often the event is delivered: recognize duplicates by it. `evt_`, the registration of the charger, `_`, and `sequence`.',
  type: 'The type of the event.',
  timestamp: 'When the service learned of it.',
  sequence: 'Counts the events of one registration of a charger from 1, without a gap. Null: an event of a webhook.',
  chargerId: 'Id of the charger. Null: an event of a webhook.',
  siteId: "The charger's site at that time. Null: an event of a webhook.",
  externalSiteId: '`externalId` of the site. Null: the site has none, or an event of a webhook.',
  data: 'What has happened.',
  name: 'Name of the charger.',
  changed: 'Names of the changed fields. `*`: any field.',
  ocppVersion: 'OCPP version of the connection. Null: not known.',
  connectedSince: 'When the connection was opened. Null: not known.',
  replaced: 'Whether a newer connection replaced an active one.',
  sockets: 'States of the sockets from now on.',
  socketId: 'Number of the socket (OCPP connector). 0: the charger itself. Null: not reported.',
  state: 'The state from now on.',
  previousState: 'The state until then. Null: none was reported before.',
  errorCode: 'Error code of the report. Empty: no error.',
  vendorErrorCode: "The vendor's error code. Empty: none.",
  info: 'Further information of the charger. Empty: none.',
  deviceTime: "The charger's own time. Null: it reported no readable time.",
  reason: 'Why it ended.',
  manufacturer: 'Manufacturer. Empty: not reported.',
  model: 'Model. Empty: not reported.',
  serial: 'Serial number. Empty: not reported.',
  firmware: 'Version of the firmware. Empty: not reported.',
  iccid: 'ICCID of the SIM card. Empty: not reported.',
  imsi: 'IMSI of the SIM card. Empty: not reported.',
  meterType: 'Type of the meter. Empty: not reported.',
  meterSerialNumber: 'Serial number of the meter. Empty: not reported.',
  previousFirmware: 'Version of the firmware until then. Null: the first boot.',
  transactionId: 'The id that the service gave to the OCPP transaction. Null: meter values outside a session.',
  rfidTag: 'RFID tag, as the charger sent it.',
  startTime: 'When the session began.',
  meterStart: 'Meter reading at the start in Wh. Null: not reported, or not yet.',
  verdict: 'Whether the tag was accepted, or why not.',
  startedBy: '`remote`: a command of the API. `local`: a driver at the charger.',
  commandId: 'The command that caused it. Null: none of the API.',
  offline: 'Whether the charger reported the start long after it.',
  endTime: 'When the session ended. Null: its stop was lost.',
  meterStop: 'Meter reading at the end in Wh. Null: not reported.',
  consumptionWh: 'Consumed energy in Wh. Null: not known.',
  stopReason: 'Why it was stopped, as the charger reported it. Null: not reported.',
  superseded: 'True: its stop was lost. A late stop makes a second event with false.',
  measurements: 'The measured values.',
  truncated: 'Present where the event was too large, and long values are left out.',
  value: 'The value as text, exactly as sent.',
  measurand: 'Measurand of OCPP. Null: not reported.',
  phase: 'Phase. Null: not reported.',
  unit: 'Unit. Null: not reported.',
  context: 'Context of OCPP. Null: not reported.',
  location: 'Location of OCPP. Null: not reported.',
  source:
    '`own`: the tags of the client. `endpoint`: the authorization endpoint of the client. `fallback`: that endpoint failed. `open`: the client accepts unknown tags.',
  tookMs: 'Milliseconds until the endpoint responded. Null: no endpoint was asked.',
  operation: 'The OCPP action.',
  outcome: "The status of the charger's response, or an error code of this API.",
  status: 'The status as OCPP names it.',
  requestId: 'The number of the request that it belongs to. Null: not reported.',
  techInfo: 'Technical information. Null: not reported.',
  certificateType: 'The type of the certificate, as OCPP names it. Null: not known, or OCPP 1.6.',
  vendorId: 'Id of the vendor.',
  messageId: 'Id of the message. Null: not reported.',
  webhookId: 'Id of the webhook.',
};

const OWN_TEXTS: Readonly<Record<string, string>> = {
  'charger.data_transfer.data': 'The data, as sent. Null: none.',
  'charger.security_event.type': 'The type of the security event, as OCPP names it.',
};

/** What an item of a list is, the same in each type that has the list. */
export const EVENT_ITEMS: Readonly<Record<string, { readonly text: string; readonly example: unknown }>> = {
  sockets: {
    text: 'A socket of the charger with its state.',
    example: exampleEvent('charger.connected').data.sockets[0],
  },
  measurements: { text: 'A measured value.', example: exampleEvent('meter.values').data.measurements[0] },
};

/** The text of a field. `owner`: the type, where the field is one of its data. */
export function eventFieldText(name: string, owner = ''): string {
  const text = OWN_TEXTS[`${owner}.${name}`] ?? TEXTS[name];
  if (text === undefined) throw new Error(`the field ${name} of an event needs a text`);
  return text;
}
