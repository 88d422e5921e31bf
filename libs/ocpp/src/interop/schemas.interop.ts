// The schemas of OCPP 2.x beside those inside another project's package, where it is installed: names, types and limits. Run by
// `npm run test:interop`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { protocolOf } from '../protocols';

/** What this needs of a stack as `tools/interop.mjs` has installed it. */
interface Stack {
  readonly name: string;
  readonly folder: string;
  readonly skipped?: string;
  readonly failed?: string;
}

const LIMITS = ['type', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'] as const;

type Limits = Partial<Record<(typeof LIMITS)[number], string | number>>;

interface Schema extends Limits {
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}

const PACKAGE = /^ocpp .*PyPI/;

/** Where the package has what an erratum changed; the wider limit holds. */
const ERRATA: readonly string[] = ['Get15118EVCertificateResponse.exiResponse maxLength 5600 7500'];

/** `path keyword` and its value, for each that a payload may meet. */
function limitsOf(schema: Schema, definitions: Readonly<Record<string, Schema>>, path: string): [string, string][] {
  const { $ref, properties = {}, items } = schema;
  if ($ref !== undefined) return limitsOf(definitions[$ref.split('/').at(-1) ?? ''] ?? {}, definitions, path);
  const simple = LIMITS.flatMap((name): [string, string][] => {
    const { [name]: limit } = schema;
    return limit === undefined ? [] : [[`${path} ${name}`, String(limit)]];
  });
  const lists = (['enum', 'required'] as const).flatMap((name): [string, string][] => {
    const { [name]: values } = schema;
    return values === undefined ? [] : [[`${path} ${name}`, values.toSorted().join()]];
  });
  return [
    ...simple,
    ...lists,
    ...Object.entries(properties).flatMap(([name, each]) => limitsOf(each, definitions, `${path}.${name}`)),
    ...(items === undefined ? [] : limitsOf(items, definitions, `${path}[]`)),
  ];
}

function differences(name: string, theirs: Schema, ours: Schema): string[] {
  const left = new Map(limitsOf(theirs, theirs.definitions ?? {}, name));
  const right = new Map(limitsOf(ours, {}, name));
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((key) => [key, left.get(key) ?? 'none', right.get(key) ?? 'none'] as const)
    .filter(([, one, other]) => one !== other)
    .map((each) => each.join(' '));
}

/** By the name of the message, such as `BootNotificationRequest`. */
function schemasIn(folder: string, version: string): Map<string, Schema> {
  const [python = ''] = readdirSync(join(folder, '.venv/lib'));
  const directory = join(folder, '.venv/lib', python, 'site-packages/ocpp', version, 'schemas');
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(directory, file), 'utf8').replace(/^\uFEFF/, '');
      return [file.slice(0, -'.json'.length), JSON.parse(text) as Schema];
    }),
  );
}

function ownSchemas(version: string): Map<string, Schema> {
  const protocol = protocolOf(version);
  return new Map(
    [...(protocol?.schemas ?? [])].flatMap(([name, { request, response }]): [string, Schema][] => {
      // A SEND has no response, and its schema no suffix.
      if (protocol?.actions.get(name)?.kind === 'send') return [[name, request.schema]];
      return [
        [`${name}Request`, request.schema],
        [`${name}Response`, response.schema],
      ];
    }),
  );
}

const stacks = JSON.parse(process.env['INTEROP_STACKS'] ?? '[]') as readonly Stack[];
const stack = stacks.find(({ name }) => PACKAGE.test(name));
if (stack === undefined || stack.skipped !== undefined || stack.failed !== undefined) {
  it.skip('101. compares the schemas: the package is not installed', () => undefined);
} else {
  it.each([
    ['ocpp2.0.1', 'v201', 128],
    ['ocpp2.1', 'v21', 181],
  ])('101. has the messages of %s and their limits as another project has them', (version, directory, count) => {
    const theirs = schemasIn(stack.folder, directory);
    const ours = ownSchemas(version);
    expect(theirs.size).toBe(count);
    expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
    const found = [...theirs].flatMap(([name, schema]) => differences(name, schema, ours.get(name) ?? {}));
    expect(found.filter((each) => !ERRATA.includes(each))).toEqual([]);
  });
}
