// Definitions of custom resources for the API server: those of the projects that publish them, and for kinds of clouds what the trimmed
// schemas of the tests of the chart say.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOOLS, type KubernetesObject } from '../chart/helm';

const PUBLISHED = join(TOOLS, 'schemas/custom-resource-definitions');
/** The groups of Kubernetes itself, beside the group without a name. */
const BUILT_IN = new Set(['apps', 'autoscaling', 'batch', 'networking.k8s.io', 'policy']);
const TRIMMED = join(__dirname, '../chart/schemas');

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}

interface Definition extends KubernetesObject {
  readonly spec: { readonly group: string; readonly names: { readonly kind: string } };
}

/** The definitions that these objects need. */
export function definitionsFor(objects: readonly KubernetesObject[]): readonly unknown[] {
  const published = readdirSync(PUBLISHED).map(
    (name) => JSON.parse(readFileSync(join(PUBLISHED, name), 'utf8')) as Definition,
  );
  const kinds = new Map(objects.map((object) => [`${object.apiVersion} ${object.kind}`, object]));
  const needed = [...kinds.values()].flatMap(({ apiVersion, kind }) => {
    const [group = '', version] = apiVersion.split('/');
    if (version === undefined || BUILT_IN.has(group)) return [];
    const found = published.find(({ spec }) => spec.group === group && spec.names.kind === kind);
    return [found ?? trimmed(group, version, kind)];
  });
  return [...new Set(needed)];
}

function trimmed(group: string, version: string, kind: string): unknown {
  const file = join(TRIMMED, group, `${kind.toLowerCase()}_${version}.json`);
  if (!existsSync(file)) throw new Error(`nothing defines ${kind} of ${group}/${version}`);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
  const plural = kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  const names = { kind, plural: plural.toLowerCase(), singular: kind.toLowerCase() };
  // The API server checks the other fields of an object itself.
  const properties = { spec: structural(schema.properties?.['spec'] ?? {}) };
  const openAPIV3Schema = { type: 'object', required: ['spec'], properties };
  const served = { name: version, served: true, storage: true, schema: { openAPIV3Schema } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, names, scope: 'Namespaced', versions: [served] },
  };
}

/** The part of JSON Schema that a definition may have. Unknown fields are refused by the API server itself. */
function structural({ type, properties, additionalProperties, items, required, ...rest }: Schema): unknown {
  if (Array.isArray(type)) return { 'x-kubernetes-int-or-string': true };
  const isMap = typeof additionalProperties === 'object';
  const isOpen = type === 'object' && properties === undefined && !isMap;
  return {
    type: type ?? 'string',
    ...(rest.enum === undefined ? {} : { enum: rest.enum }),
    ...(required === undefined ? {} : { required }),
    ...(items === undefined ? {} : { items: structural(items) }),
    ...(isMap ? { additionalProperties: structural(additionalProperties) } : {}),
    ...(isOpen ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, structural(each)])) }),
  };
}
