// JSON Schemas of Kubernetes' objects for kubeconform, one file a kind: made of its OpenAPI document and of custom resource
// definitions. Every object is closed, so that a mistyped field is an error.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** The kinds that the chart, its examples and its tests may contain. Others would only make the cache larger. */
const KINDS = new Set([
  'ConfigMap',
  'CronJob',
  'Deployment',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Job',
  'Namespace',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'Pod',
  'PodDisruptionBudget',
  'Secret',
  'Service',
  'ServiceAccount',
  'StatefulSet',
]);
const INT_OR_STRING = { oneOf: [{ type: 'string' }, { type: 'integer' }] };

/** Writes `FOLDER/GROUP/KIND_VERSION.json` for each kind of an OpenAPI document. What has no group lies in `FOLDER/v1`. */
export function writeSchemasOfOpenApi(file, folder) {
  const { definitions } = JSON.parse(readFileSync(file, 'utf8'));
  for (const schema of Object.values(definitions)) {
    for (const { group, kind, version } of schema['x-kubernetes-group-version-kind'] ?? []) {
      if (KINDS.has(kind)) write(folder, { group, kind, version }, closed(schema, definitions));
    }
  }
}

/**
 * The same for each version of the custom resource definitions in a folder of YAML files, and each definition itself, for an API server,
 * to `FOLDER/../custom-resource-definitions/NAME.json`.
 */
export function writeSchemasOfDefinitions(source, folder) {
  for (const name of readdirSync(source).filter((each) => each.endsWith('.yaml'))) {
    for (const document of parseAllDocuments(readFileSync(join(source, name), 'utf8'))) {
      const definition = document.toJS() ?? {};
      if (definition.kind !== 'CustomResourceDefinition') continue;
      writeDefinition(definition, join(folder, '../custom-resource-definitions'));
      const { spec } = definition;
      for (const { name: version, schema } of spec.versions) {
        write(folder, { group: spec.group, kind: spec.names.kind, version }, withMetadata(schema.openAPIV3Schema));
      }
    }
  }
}

function writeDefinition(definition, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${definition.metadata.name}.json`), JSON.stringify(definition));
}

function write(folder, { group, kind, version }, schema) {
  const directory = join(folder, group === '' ? version : group);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${kind.toLowerCase()}_${version}.json`), JSON.stringify(schema));
}

/** The API server checks `metadata` of custom resources itself; their definitions say only that it is an object. */
function withMetadata(schema) {
  const { properties, ...rest } = closed(schema, {});
  return { ...rest, properties: { ...properties, metadata: { type: 'object' } } };
}

/** The schema with its references replaced and its objects closed. */
function closed(schema, definitions) {
  if (schema.$ref !== undefined) return closed(definitions[schema.$ref.slice('#/definitions/'.length)], definitions);
  if (schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true) return INT_OR_STRING;
  const result = {};
  for (const key of [
    'type',
    'enum',
    'required',
    'pattern',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
  ]) {
    if (schema[key] !== undefined) result[key] = schema[key];
  }
  if (schema.items !== undefined) result.items = closed(schema.items, definitions);
  if (schema.properties !== undefined) {
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, closed(property, definitions)]),
    );
    result.additionalProperties = schema['x-kubernetes-preserve-unknown-fields'] === true;
  } else if (typeof schema.additionalProperties === 'object') {
    result.additionalProperties = closed(schema.additionalProperties, definitions);
  }
  return result;
}
