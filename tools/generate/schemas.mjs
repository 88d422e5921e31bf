// Reads the schemas of typed-ocpp: only keywords that are known, and each version's corrections.

/** A keyword that is neither here nor handled in `reduce` stops the generator: it would be lost in silence. */
const KEPT = [
  'type',
  'required',
  'enum',
  'format',
  'maxLength',
  'minItems',
  'maxItems',
  'multipleOf',
  'minimum',
  'maximum',
];
const DROPPED = ['title', 'additionalItems', 'definitions', 'description', 'default'];
const REF = '#/definitions/';

/**
 * `{ messages: {AuthorizeRequest: schema, …}, definitions: {IdTokenType: schema, …} }`. Without `shared`, references are
 * inlined and there are no definitions. With it, objects stay `{ $ref: name }`; a definition of one name is the same
 * in all messages of a version.
 */
export function readSchemas(module, { shared = false, patches = {} }) {
  const messages = {};
  const definitions = {};
  for (const [name, schema] of Object.entries(module)) {
    const from = { definitions: schema.definitions ?? {}, shared, found: definitions };
    const title = /(Request|Response)$/.test(name) ? name : `${name}Request`;
    messages[title] = withPatches(reduce(schema, from), patches[name] ?? {});
    // A SEND has no answer; an empty one keeps the table of actions uniform.
    if (title !== name) messages[`${name}Response`] = { type: 'object', properties: {} };
  }
  return { messages, definitions: inOrder(definitions) };
}

/** The schema with other limits of some fields: `{ field: { maxLength: 500 } }`. */
export function withPatches(schema, patches) {
  const patched = mapEntries(patches, (field, limits) => {
    if (schema.properties[field] === undefined) throw new Error(`the schema has no field "${field}" to patch`);
    return { ...schema.properties[field], ...limits };
  });
  return Object.keys(patched).length === 0 ? schema : { ...schema, properties: { ...schema.properties, ...patched } };
}

function reduce(schema, from) {
  if (schema.$ref !== undefined) return follow(schema.$ref.replace(REF, ''), from);
  const result = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') result.properties = mapEntries(value, (_name, field) => reduce(field, from));
    else if (keyword === 'items') result.items = reduce(value, from);
    else if (KEPT.includes(keyword)) result[keyword] = value;
    else if (keyword !== 'additionalProperties' && !DROPPED.includes(keyword)) {
      throw new Error(`the schemas use "${keyword}", which is not handled`);
    }
  }
  // Rule 102: such an object has fields of the vendor.
  if (from.shared && schema.type === 'object' && schema.additionalProperties !== false) result.open = true;
  return result;
}

function follow(name, from) {
  const definition = from.definitions[name];
  if (!from.shared || definition.type !== 'object') return reduce(definition, from);
  if (from.found[name] === undefined) {
    // Before its fields: a definition may contain itself.
    from.found[name] = {};
    from.found[name] = reduce(definition, from);
  }
  return { $ref: name };
}

/** Each definition after those that it contains. */
function inOrder(definitions) {
  const ordered = {};
  const visit = (name, above) => {
    if (above.includes(name)) throw new Error(`the definition "${name}" contains itself, which is not handled`);
    if (ordered[name] !== undefined) return;
    for (const inner of refsOf(definitions[name])) visit(inner, [...above, name]);
    ordered[name] = definitions[name];
  };
  for (const name of Object.keys(definitions).sort()) visit(name, []);
  return ordered;
}

function refsOf(schema) {
  if (schema.$ref !== undefined) return [schema.$ref];
  return [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items])].flatMap(
    refsOf,
  );
}

/** The standard to the letter. `isOptional`: an empty string there is one that a lenient check lets pass (rule 48). */
export function strict(schema) {
  return variant(schema, { isLenient: false, isOptional: false });
}

/** Without what may be tolerated: unknown fields, unknown enum values, times without a zone, empty optional strings. */
export function lenient(schema) {
  return variant(schema, { isLenient: true, isOptional: false });
}

function variant(schema, { isLenient, isOptional }) {
  if (schema.$ref !== undefined) return { $ref: definitionName(isLenient ? 'lenient' : 'strict', schema.$ref) };
  const { open, ...result } = schema;
  if (schema.items !== undefined) result.items = variant(schema.items, { isLenient, isOptional: false });
  if (schema.format === 'date-time') {
    result.format = isLenient ? (isOptional ? 'lenientTimestampOrEmpty' : 'lenientTimestamp') : 'timestamp';
  }
  if (isLenient) delete result.enum;
  if (schema.type !== 'object') return result;
  result.additionalProperties = isLenient || open === true;
  result.properties = mapEntries(schema.properties ?? {}, (name, field) =>
    variant(field, { isLenient, isOptional: !(schema.required ?? []).includes(name) }),
  );
  return result;
}

/** The key of a definition's variant among ajv's schemas. */
export function definitionName(variantName, name) {
  return `${variantName}-${name}`;
}

export function mapEntries(object, map) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]));
}
