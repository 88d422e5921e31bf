// The rules that chargers with OCPP 2.0.1 and 2.1 can rely on, by number: what is promised, and what of it is not built. Rules
// below 101 that hold for every version stand in docs/ocpp-1.6.md. A rule without a test needs its `missing`.

export const RULES = {
  7: { text: 'An identity that is longer than 48 characters or has a colon gets no 2.x (rule 106).' },
  11: { text: 'A password is a text of 16 to 40 characters and is changed as in rule 10 (rule 152).' },
  49: { text: 'An optional field that is null or an empty list is tolerated, except by a strict gateway (rule 113).' },
  63: {
    text: 'After a boot that was answered Pending or Rejected every other CALL gets SecurityError; a BootNotification that was asked for by TriggerMessage is processed (rule 121).',
  },
  64: {
    text: 'The events of a transaction are answered in any order, with gaps and repeats, offline and without an EVSE, and are listed by their numbers (rules 140 to 144).',
  },
  65: { text: 'The answer to a TransactionEvent with a token has the verdict on it (rule 128).' },
  66: { text: 'The parts of a report are one report in any order, also where they are repeated (rule 151).' },
  67: { text: 'Every object may have `customData` (rule 102).' },
  101: {
    text: 'Every action of the version has a validator to the letter of its schema, a tolerant one, and one for what the service sends. Where editions differ, the wider limit holds. `npm run test:interop` compares names and limits with the schemas of another project.',
  },
  102: {
    text: 'The limits of lists and numbers hold. `customData` may have any field beside its `vendorId` and is no deviation. The data of a DataTransfer is any JSON.',
  },
  103: { text: 'A version is loaded when the first charger speaks it. A definition is compiled once a version.' },
  104: { text: 'The actions of 2.1 are those of 2.0.1 and further ones.' },
  105: {
    text: '`OCPP_VERSIONS` lists what is offered, most preferred first; its default is `ocpp2.1,ocpp2.0.1,ocpp1.6`. `compatibility.ocppVersions` of a charger narrows it; empty: all.',
  },
  106: {
    text: 'An identity with a colon, or longer than 48 characters, gets no 2.x: it gets 1.6 where it offers that. A password is compared as bytes of its text, never as hexadecimal digits.',
  },
  107: {
    text: 'A charger that proves nothing is tolerated and counted (`no_security`); a strict gateway rejects it with 401. Profile 3 needs no password; one that a charger sends beside its certificate is ignored.',
  },
  108: {
    text: 'A connection by the security profile of an accepted SetNetworkProfile raises the registered one, so that a lower one is refused from then on. Profile 3 needs no password from then on.',
  },
  109: { text: 'permessage-deflate is negotiated where it is offered (rule 19).' },
  110: {
    text: 'An unreadable frame gets RpcFrameworkError under its id, or under `-1` where the id is not readable. Ten in a row close the socket with 1008.',
  },
  111: {
    text: '2.0.1: an unknown message type gets MessageTypeNotSupported under its id, or under `-1`. 2.1: it is ignored and counted.',
  },
  112: {
    text: 'A payload of null counts as an empty one; a strict gateway answers FormatViolation. An empty message id is answered under `-1`, and by a strict gateway a number too.',
  },
  113: {
    text: 'An optional field that is null (`null_field`) or an empty list (`empty_list`) counts as absent, except for a strict gateway. The raw frame keeps it.',
  },
  114: {
    text: 'Timestamps with more than three decimals or an offset are accepted; one without a zone is UTC and counted. Numbers keep every decimal.',
  },
  115: {
    text: '2.1: a SEND is validated and published as a report, and is never answered. An unusable one is dropped and counted (`unusable_send`). It waits for no CALL; while the broker does not keep up it is dropped and counted. The values of a periodic event stream are stored with it: the last thousand, and no more than 64 KiB. A charger has up to 32 streams, and a boot ends them; one that is not open has no values: its SEND is unusable.',
  },
  116: {
    text: '2.1: after a CALLRESULTERROR the remembered answer is forgotten, so that the CALL is processed anew; counted as `result_refused`.',
  },
  117: {
    text: '2.1: a CALLRESULT that violates its schema ends the command and gets a CALLRESULTERROR, except where `compatibility.noCallResultError` of the charger is set. 2.0.1: nothing is sent.',
  },
  118: { text: 'Message ids of the service are UUIDs.' },
  119: {
    text: '2.1: a frame that is repeated on a later connection to the same gateway within ten minutes gets the same answer, except a BootNotification and a Heartbeat. Its id with other content is a new message, and after a boot in between the same content too, unless it has a time of its own. On a connection to another gateway it gets its answer anew, without a second row or event.',
  },
  120: { text: 'Error codes are spelled as 2.x spells them. GenericError is never sent.' },
  121: {
    text: 'After a BootNotification that was answered Pending or Rejected every CALL but a boot gets SecurityError, except what a CALL of the service asked for: reports in parts also after a reconnect.',
  },
  122: {
    text: 'Before its first BootNotification by 2.x, or after one by 1.6, a charger is tolerated and counted (`not_booted`); a strict gateway answers SecurityError.',
  },
  123: {
    text: 'The operator decides what a BootNotification is answered: `admission` of the charger is `accept`, `pending` or `reject`. From `pending` to `accept` the charger is asked to boot again.',
  },
  124: {
    text: 'One CALL of the service is in flight. In an outage TransactionEvent is the transaction message, and a refused status is asked for again with its connector.',
  },
  125: { text: 'Frames of up to `OCPP_MAX_FRAME_BYTES` are accepted; a larger one closes the socket with 1009.' },
  126: { text: 'Every action that a charger may send gets a CALLRESULT that fits its schema.' },
  127: { text: 'The gateway’s answer to a report depends on nothing but the report.' },
  128: {
    text: 'A TransactionEvent without a token is a report, one with a token a decision. Its answer has a verdict only where it has a token.',
  },
  129: {
    text: 'The operations of both APIs are encoded for 2.x; a field that the version cannot carry gets 400.',
  },
  130: {
    text: '`POST …/calls` sends every action of the charger’s version, validated to the letter. Its result changes the record as that of the operation.',
  },
  131: { text: 'A disconnected charger gets 409 `charger_offline` before its session is looked up.' },
  132: {
    text: 'A socket is a connector. Connector 1 of EVSE e is socket e, connector c from 2 on is `100·e + c`.',
  },
  133: {
    text: 'EVSE 0 or connector 0 is the charger itself; sockets come into being on first sight.',
  },
  134: {
    text: 'A NotifyEvent of AvailabilityState is a status at the time of the event; that of an EVSE is its own state.',
  },
  135: { text: 'A NotifyEvent of Problem or Fault sets and clears the error code of its socket.' },
  136: {
    text: 'The state of an occupied connector follows from its transaction, in either order of arrival.',
  },
  137: {
    text: 'The socket of a transaction is its connector; where it is not reported, it is assumed and corrected later. The session at an assumed connector has `connectorId: null` beside its `socketId`, until the charger names it.',
  },
  138: {
    text: 'A charger that comes with another major version starts with no configuration, and its sessions are superseded; sockets stay until it reports them.',
  },
  139: {
    text: 'A session is a transaction id of the charger; both APIs show an integer of the service.',
  },
  140: {
    text: 'The events of a transaction give the same session in any order, with gaps and repeats.',
  },
  141: {
    text: 'An event that is sent again gets the same verdict, also on another token than that of its session, and changes nothing, also where the clock of the charger is off. One number of two events is counted (`reused_seq_no`).',
  },
  142: { text: 'A session names the sequence numbers that are missing between those that came.' },
  143: { text: 'An event of an unknown transaction begins a session whose start is not known yet.' },
  144: {
    text: 'A Started after the end begins another session of the same transaction id, and so does an Ended that comes before its Started, unless its number is above that of the end. Counted as `reused_transaction_id`.',
  },
  145: {
    text: 'A Started at a connector supersedes the transaction there, unless it is older or of an offline time. Of several Ended of a transaction the one with the lowest number counts.',
  },
  146: {
    text: 'Meter values are stored as sent; the energy register gives the consumption. `GET /v2/sessions/:transactionId/events` lists the events of a transaction. Ten minutes after a reconnect the charger is asked about sessions of which it has reported nothing since; one that it no longer has, without messages that wait, is superseded.',
  },
  147: {
    text: 'A variable has one name: `Component.Variable`, with instances in brackets and the place behind `@`. The configuration shows what reports, reads and changes say of it.',
  },
  148: {
    text: 'Usual names of configuration keys of 1.6 are understood.',
  },
  149: {
    text: 'The device model is stored beside the record: at most 5,000 attributes and a mebibyte. What does not fit is not kept, and `isComplete` is false.',
  },
  150: {
    text: 'After a boot the whole device model is requested once for each firmware, else the configuration. A value that the charger accepted or reports by an event is stored at once; one for the next boot is shown as `pendingValue` until then.',
  },
  151: {
    text: 'Reports in parts are joined in any order. One that is incomplete ten minutes after its last part is closed. A whole report of the device model, of monitors, of display messages or of charging profiles replaces what is stored, a part or a report by criteria removes nothing. What came of a report can be read for a day.',
  },
  152: {
    text: 'A password that is set by SetVariables has 16 to 40 characters, in 2.1 as many as the charger reported that it may have, else 64, and is stored as in rule 10. One call sets at most one. It is never shown.',
  },
  153: {
    text: 'GetVariables, SetVariables, SetVariableMonitoring and ClearVariableMonitoring of an operation with more items than the charger takes in a message (`ItemsPerMessage`, `BytesPerMessage`) are sent as several CALLs, with one response. A limit that is not known is read before more than four.',
  },
  154: {
    text: 'A token is the tag with its text, without case, of up to 36 characters, in 2.1 255. Where the tag has a `type`, a token of another type is unknown. A parent of a tag that the version cannot carry is left out of answers, remote starts and local lists.',
  },
  155: {
    text: 'Authorize answers Accepted, Blocked, Expired, NotAtThisTime or Unknown, with the expiry and the parent of the tag.',
  },
  156: {
    text: 'No token (NoAuthorization) is accepted where the client charges openly, else Invalid. A token of the type Local is accepted.',
  },
  157: { text: 'A session without a token has the tag of the first event with one.' },
  158: { text: 'Reservations, local lists and charging profiles are tracked as for 1.6.' },
  159: {
    text: 'Charging profiles that the charger reports are stored with their source. Commands clear none of another source; a complete report replaces what is stored, and the charger clears a limit with its profiles. Limits of others are shown beside the profiles. Dynamic profiles are set like others in 2.1; other versions carry none. The last accepted UpdateDynamicSchedule is stored with its profile, and answers PullDynamicScheduleUpdate.',
  },
  160: {
    text: 'Display messages and monitors that the charger accepts or reports are stored, at most 100 and 500, until it clears them or reports all without them; messages also until they end.',
  },
  161: {
    text: 'A CSR of the charger is signed where an authority is configured, it names the charger and the charger authenticates; a certificate that the charger does not take is an event, and is sent twice more.',
  },
  162: {
    text: 'A CSR for a certificate that vehicles see (V2GCertificate, V2G20Certificate) is signed where a sub-CA for the type is configured and its key is on the curve of the type, else it is rejected.',
  },
  163: {
    text: 'Certificates of every type of the version are installed, listed and deleted by operations. The list that was read last is stored with the charger. The charger decides which may be deleted.',
  },
  164: {
    text: 'Get15118EVCertificate is passed to the contract provider that is configured: its response has at most 7,500 characters, in 2.1 17,000. Where OCSP is on, responders are asked for the status of certificates, within 5 s and until nextUpdate once. Otherwise, and without a usable response, the answer is Failed ([how](iso-15118.md)).',
  },
  165: {
    text: 'Authorize with certificates of a contract answers the verdict on its tag where the status of each is verified and good, else Invalid: with CertificateRevoked where one is revoked, with NoCertificateAvailable where a status or an authority is not available or nothing is configured, and for a chain with CertificateExpired, SignatureError or CertChainError.',
  },
  166: {
    text: 'The records of chargers, sessions and tags show the new fields of 2.x. They are null on 1.6 where it has no such value, and optional in requests.',
  },
  167: {
    text: 'Reads need `chargers:read` or `sessions:read`, everything else `chargers:operate`. Changes of certificates and network profiles also need `chargers:write`, by their routes and by `calls`.',
  },
  168: {
    text: 'A refreshed configuration waits for the whole report: 504 `charger_timeout` where it does not come in time, 200 with the stored items where the charger refuses.',
  },
  169: {
    text: 'The legacy API shows a charger of 2.x as any other, its configuration by names of variables. It changes that by these names or those of 1.6, and answers with the word of the charger. A tag has up to 255 characters in both APIs; one that the version of the charger cannot carry is refused at its path.',
  },
  170: {
    text: 'The tolerated deviations of 2.x are a closed list, counted by kind. The switch `vendorFields` covers unknown enum values of 2.x too.',
  },
  171: {
    text: 'This document has every message and every promise with its tests. In the AsyncAPI document a SEND is a `report` with `unanswered: true`.',
  },
  172: {
    text: 'Stored data need no upgrade before the first connection of 2.x: sessions without the new fields read as 1.6.',
  },
  173: {
    text: 'The certification cases of the standard’s test plan are tests, named by their ids (see [below](#certification-cases)).',
    missing: 'the cases that the table below names as missing',
  },
  174: {
    text: 'Other vendors’ implementations of 2.x work with the service.',
    missing:
      'that of Java, whose 2.x is in no registry, and a SEND or CALLRESULTERROR by one of them: ocpp-ws-io has neither; ocpp-rpc, ocpp-ws-io and those of Python and Rust are there',
  },
  175: {
    text: 'The scripted charger, the simulator, the bench and the fuzz speak all three versions, and the networks of the fault suite have chargers of the three.',
  },
};
