// The longest text that each regular expression may meet. A new expression needs its line here; a test demands it.

/** An OCPP frame as `OCPP_MAX_FRAME_BYTES` allows it by default. */
const FRAME = 262_144;
/** A body of the HTTP APIs. */
const BODY = 100_000;
/** The request line and all headers. */
const HEADERS = 49_152;
/** Only the program's own text or its operator's: settings, files, messages of libraries. */
const OPERATOR = 'operator';

export interface Reach {
  readonly longest: number;
  /** The beginnings of the text, so that the expression gets as far as its repetitions. */
  readonly prefixes?: readonly string[];
  /** The repeated pieces, beside those that every expression is tried with. */
  readonly pumps?: readonly string[];
}

const BY_NAME: Readonly<Record<string, Reach | typeof OPERATOR>> = {
  'libs/broker/src/amqp/link.ts message': OPERATOR,
  'libs/broker/src/amqp/link.ts adviceFor': OPERATOR,
  'libs/broker/src/amqp/link.ts adviceFor 2': OPERATOR,
  'libs/core/src/ids.ts ULID': { longest: HEADERS },
  'libs/domain/src/chargers/charger-id.ts CHARGER_ID_PATTERN': { longest: BODY },
  'libs/domain/src/chargers/charger-id.ts ALLOWED': { longest: BODY },
  'libs/domain/src/history/log-follower.ts parseLogCursor': { longest: HEADERS },
  'libs/domain/src/input-limits.ts NOT_BLANK_PATTERN': { longest: BODY },
  'libs/domain/src/input-limits.ts PROPERTY_NAME_PATTERN': { longest: BODY },
  'libs/domain/src/tags/tag.ts ID_TAG_PATTERN': { longest: BODY },
  'libs/domain/src/clients/create-api-key.ts PRINTABLE': OPERATOR,
  'libs/domain/src/chargers/credentials/set-charger-authentication.ts keyBytes': { longest: BODY },
  'libs/http/src/documents/documented-headers.ts pattern': OPERATOR,
  'libs/http/src/documents/documented-headers.ts pattern 2': OPERATOR,
  'libs/http/src/routing/response/entity-tag.ts LIST': {
    longest: HEADERS,
    prefixes: ['"a"', 'W/"a" ,'],
    pumps: ['"a",', ' "a" ,'],
  },
  'libs/http/src/routing/response/entity-tag.ts TAG': { longest: HEADERS, pumps: ['"a",', 'W/"'] },
  'libs/http/src/routing/response/entity-tag.ts IF_MATCH_PATTERN': {
    longest: HEADERS,
    prefixes: ['"a"'],
    pumps: ['"a",', ' "a" ,'],
  },
  'libs/http/src/routing/policy/idempotency.ts IDEMPOTENCY_KEY_PATTERN': { longest: HEADERS },
  'libs/http/src/routing/policy/idempotency.ts KEY': { longest: HEADERS },
  'libs/http/src/routing/request/issue.ts sentence': { longest: BODY },
  'libs/http/src/listener/descriptors.ts soft': OPERATOR,
  'libs/http/src/listener/revocation-list.ts der': OPERATOR,
  'libs/http/src/listener/revocations.ts keyOf': OPERATOR,
  'libs/http/src/listener/tls-files.ts blocksOf': OPERATOR,
  'libs/http/src/documents/open-api.ts path': OPERATOR,
  'libs/http/src/limits/network-of.ts MAPPED_IPV4': { longest: HEADERS, prefixes: ['::ffff:', '::ffff:1.1.1.'] },
  'libs/http/src/routing/request/parameters.ts PIECE': { longest: HEADERS },
  'libs/http/src/routing/response/compress.ts tagEncoding': OPERATOR,
  'libs/http/src/routing/response/compress.ts isCompressible': OPERATOR,
  'libs/http/src/routing/pagination/cursor.ts pattern': { longest: HEADERS },
  'services/v2-api/src/schemas/event.ts pattern': { longest: HEADERS },
  'libs/http/src/routing/request/time-zone.ts NAME': { longest: BODY, prefixes: ['A'], pumps: ['/A'] },
  // The names of a client certificate; OpenSSL takes chains of up to 100 kB.
  'libs/http/src/limits/peer.ts parts': {
    longest: BODY,
    prefixes: ['DNS:', 'DNS:"'],
    pumps: [', DNS:', ', DNS:"', ', DNS:"\\'],
  },
  'libs/http/src/routing/request/read-body.ts ESCAPED_SURROGATE': { longest: BODY, pumps: ['\\ud'] },
  'libs/http/src/routing/request/read-body.ts LONE_SURROGATE': { longest: BODY },
  'libs/http/src/routing/request/request-id.ts REQUEST_ID_PATTERN': { longest: HEADERS },
  'libs/http/src/routing/request/request-id.ts SAFE': { longest: HEADERS },
  'libs/http/src/routing/request/request-target.ts local': { longest: HEADERS, prefixes: ['http://'] },
  'libs/ocpp/src/formats.ts USUAL_TIMESTAMP': { longest: FRAME, prefixes: ['2026-01-01T00:00:00.'] },
  'libs/ocpp/src/frame.ts token': { longest: FRAME, prefixes: ['[2,', '[2'], pumps: ['[', '1e', '[,'] },
  'libs/ocpp/src/stored-frame.ts compactFrame': { longest: FRAME },
  'libs/ocpp/src/repair.ts PLAIN_NUMBER': { longest: FRAME, prefixes: ['1', '1.'] },
  'libs/ocpp/src/repair.ts isPlainFraction': { longest: FRAME },
  'libs/ocpp/src/masking/mask-text.ts ADDRESS': { longest: FRAME, pumps: ['://', ':\\/', ':/'] },
  'libs/ocpp/src/masking/mask-text.ts PARAMETER': { longest: FRAME, pumps: ['?a', '&key', '?key=', '&password'] },
  'libs/ocpp/src/masking/mask-text.ts ASSIGNMENT': { longest: FRAME, pumps: ['"\\', '"=', ' =>'] },
  'libs/ocpp/src/masking/mask-text.ts NAME_CHARACTER': { longest: FRAME },
  'libs/ocpp/src/masking/mask-text.ts NAME': { longest: FRAME, pumps: ['key', 'key ', 'a key'] },
  'libs/ocpp/src/masking/mask-text.ts VALUE_ASSIGNED': {
    longest: FRAME,
    pumps: ['value', 'value ', 'attributevalue"'],
  },
  'libs/ocpp/src/masking/mask-text.ts NAME_AS_VALUE': {
    longest: FRAME,
    pumps: ['=authorization', ':"pass', '= a', '=a key'],
  },
  'libs/ocpp/src/masking/mask-text.ts MARKUP': { longest: FRAME },
  'libs/ocpp/src/masking/mask-text.ts UNQUOTED': { longest: FRAME, pumps: [' a', 'a ', '  a.a  '] },
  'libs/ocpp/src/masking/mask-text.ts OPENING': { longest: FRAME },
  'libs/ocpp/src/masking/mask-text.ts ASSIGNED': { longest: FRAME },
  'libs/ocpp/src/masking/mask-text.ts VALUE_FOLLOWS': {
    longest: FRAME,
    pumps: ['value', ' value ', 'attributevalue"'],
  },
  'libs/ocpp/src/masking/mask-text.ts SEPARATORS': { longest: FRAME, pumps: [';', '|'] },
  'libs/ocpp/src/masking/mask-text.ts PADDING': { longest: FRAME, prefixes: ['='] },
  'libs/ocpp/src/masking/mask-text.ts PRIVATE_KEY': {
    longest: FRAME,
    pumps: ['-----BEGIN ', '-----BEGIN A A A ', 'PRIVATE '],
  },
  'libs/ocpp/src/masking/mask-text.ts PUBLIC_PEM': {
    longest: FRAME,
    prefixes: [
      '-----BEGIN CERTIFICATE-----',
      '-----BEGIN CERTIFICATE-----=',
      '-----BEGIN CERTIFICATE-----\n-----END A',
    ],
    pumps: ['-----BEGIN CERTIFICATE-----', '-----BEGIN A CRL-----=\n-----END A-----\n', '\n', '\\n', 'CERTIFICATE '],
  },
  // A copy of one that is listed here.
  'libs/ocpp/src/masking/mask-text.ts sticky': OPERATOR,
  'libs/ocpp/src/masking/mask.ts SUSPICIOUS': {
    longest: FRAME,
    pumps: [':\\/', ':\\', '?a', 'pas', 'token', '"idtoken', '\\u00'],
  },
  'libs/ocpp/src/masking/mask.ts NAMING_FIELD': { longest: FRAME, pumps: ['key', 'variable'] },
  'libs/ocpp/src/masking/mask.ts VALUE_FIELD': { longest: FRAME, pumps: ['value', 'vals'] },
  'libs/ocpp/src/masking/mask.ts LABEL': { longest: FRAME },
  'libs/ocpp/src/masking/mask.ts maskInner': { longest: FRAME },
  'libs/ocpp/src/masking/secret-names.ts POSSIBLE': { longest: FRAME, pumps: ['pas', 'p', 'toke'] },
  'libs/ocpp/src/masking/secret-names.ts CERTAIN': { longest: FRAME, pumps: ['pass', 'auth', 'auth_', 'private', '_'] },
  'libs/ocpp/src/masking/secret-names.ts PASS': { longest: FRAME, pumps: ['pass', 'bypass', 'pas'] },
  'libs/ocpp/src/masking/secret-names.ts PIN': { longest: FRAME, pumps: ['pin', 'Spin', 'pi'] },
  'libs/ocpp/src/masking/secret-names.ts UPPER_PIN': { longest: FRAME, pumps: ['PIN', 'PING', 'PINs'] },
  'libs/ocpp/src/masking/secret-names.ts PIN_CODE': { longest: FRAME, pumps: ['pin', 'pin ', '_'] },
  'libs/ocpp/src/masking/secret-names.ts SIM_PIN': { longest: FRAME, prefixes: ['sim'], pumps: ['sim', 'sim_', '_'] },
  'libs/ocpp/src/masking/secret-names.ts TOKEN': { longest: FRAME, pumps: ['token', 'idtoken', 'rfid'] },
  'libs/ocpp/src/masking/secret-names.ts CAMEL_ID_TOKEN': { longest: FRAME, pumps: ['aId', 'aIdT'] },
  'libs/ocpp/src/masking/secret-names.ts LOGIN_TOKEN': {
    longest: FRAME,
    prefixes: ['jwt'],
    pumps: ['oauth', 'oauth_id_', 'login', '_', '_id_'],
  },
  'libs/ocpp/src/timestamp.ts PATTERN': { longest: FRAME, prefixes: ['2026-01-01T00:00:00.'] },
  'libs/operations/src/admin/session-commands.ts transactionIdOf': OPERATOR,
  'libs/operations/src/backup-every.ts NAME': OPERATOR,
  'libs/operations/src/backup-every.ts OWN_FILE': OPERATOR,
  'libs/operations/src/backup-every.ts intervalOf': OPERATOR,
  'libs/operations/src/admin/charger-commands.ts secretOf': OPERATOR,
  'libs/operations/src/admin/data-commands.ts run': OPERATOR,
  'libs/operations/src/admin/charger-log-commands.ts limitOf': OPERATOR,
  'libs/operations/src/admin/site-commands.ts siteIdOf': OPERATOR,
  'libs/operations/src/admin/table.ts printable': { longest: FRAME },
  'libs/api/src/error-pages.ts textHtml': OPERATOR,
  'libs/runtime/src/lifecycle/build-info.ts REVISION': OPERATOR,
  'libs/runtime/src/platform/platform.ts path': OPERATOR,
  'libs/runtime/src/settings/combinators.ts list': OPERATOR,
  'libs/runtime/src/settings/combinators.ts DECIMAL': OPERATOR,
  'libs/runtime/src/settings/combinators.ts LITERAL': OPERATOR,
  'libs/runtime/src/settings/combinators.ts LABEL': OPERATOR,
  'libs/runtime/src/settings/combinators.ts wholeNumber': OPERATOR,
  'libs/runtime/src/settings/shared-settings.ts pattern': OPERATOR,
  'libs/runtime/src/settings/shared-settings.ts pattern 2': OPERATOR,
  'libs/runtime/src/settings/shared-settings.ts pattern 3': OPERATOR,
  'libs/runtime/src/tracing/tracing-settings.ts pattern': OPERATOR,
  'libs/runtime/src/tracing/tracing-settings.ts pattern 2': OPERATOR,
  'libs/runtime/src/tracing/tracing-settings.ts pattern 3': OPERATOR,
  'libs/store/src/language/matches.ts lowerAscii': { longest: FRAME },
  'libs/store/src/mongo/connect.ts hasDatabase': OPERATOR,
  'libs/store/src/mongo/connect.ts withoutCredentials': OPERATOR,
  'libs/store/src/mongo/connect.ts withoutCredentials 2': OPERATOR,
  'libs/store/src/mongo/errors.ts isCertificateError': OPERATOR,
  'libs/store/src/mongo/filter-query.ts asciiInsensitive': { longest: HEADERS },
  'libs/store/src/mongo/filter-query.ts asciiInsensitive 2': { longest: HEADERS },
  'libs/store/src/records/api/session-filter.ts number': { longest: HEADERS },
  'libs/store/src/sqlite/checksum-file.ts LINE': OPERATOR,
  'libs/store/src/sqlite/engine/column-value.ts ESCAPED': { longest: FRAME, pumps: ['\u0000', '\u0001'] },
  'libs/store/src/sqlite/engine/column-value.ts ESCAPES': { longest: FRAME, pumps: ['\u0001', '\u0001\u0001'] },
  'libs/store/src/sqlite/engine/column-value.ts LONE_SURROGATE': { longest: FRAME },
  'libs/store/src/sqlite/engine/column-value.ts LONE_SURROGATES': { longest: FRAME },
  'libs/store/src/sqlite/engine/column-value.ts ESCAPED_SURROGATE': { longest: FRAME, pumps: ['\\ud8', '\\\\'] },
  'libs/store/src/sqlite/engine/database.ts STORAGE': OPERATOR,
  'libs/store/src/sqlite/engine/filter-sql.ts PLAIN_PATH': { longest: FRAME },
  'services/charger-state/src/handlers/v16/certificates/authority.ts [first, ...rest]': OPERATOR,
  'services/charger-state/src/handlers/v16/certificates/signing-request.ts ORGANIZATION': { longest: FRAME },
  'services/charger-state/src/admission/presented-key.ts formsOf': { longest: FRAME },
  'services/ocpp-gateway/src/admission/handshake.ts match': { longest: HEADERS, prefixes: ['Basic '] },
  // A close frame has at most 123 bytes of reason.
  'services/ocpp-gateway/src/connection/close-reason.ts printable': { longest: 123 },
  'services/ocpp-gateway/src/downlink/commands.ts messageIdOf': { longest: FRAME, prefixes: ['[2,"'] },
  'services/ocpp-gateway/src/admission/rejected-attempts.ts printable': { longest: HEADERS },
  'services/v2-api/src/access.ts BEARER': { longest: HEADERS, prefixes: ['Bearer '], pumps: ['Bearer '] },
  'services/v2-api/src/routes/charger-authentication.ts pattern': { longest: BODY },
};

export const REACH: ReadonlyMap<string, Reach | typeof OPERATOR> = new Map(Object.entries(BY_NAME));
