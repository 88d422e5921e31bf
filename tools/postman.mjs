// Writes the OpenAPI document of the v2 API as a collection for Postman (v2.1), which Bruno, Insomnia and others import too.
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** One folder a tag, one request an operation, with the examples of the document. */
export function postmanCollection(document) {
  const resolve = (node) =>
    node?.$ref === undefined
      ? node
      : node.$ref
          .slice(2)
          .split('/')
          .reduce((at, name) => at[name], document);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method] !== undefined).map((method) => ({ path, method, ...methods[method] })),
  );
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    auth: { type: 'apikey', apikey: pairs({ key: 'x-api-key', value: '{{apiKey}}', in: 'header' }) },
    variable: [
      { key: 'baseUrl', value: 'https://localhost:8443' },
      { key: 'apiKey', value: '' },
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ tags }) => tags[0] === name).map((operation) => itemOf(operation, resolve)),
    })),
  };
}

function itemOf({ path, method, summary, description, parameters, requestBody }, resolve) {
  const known = parameters.map(resolve);
  const query = known
    .filter((each) => each.in === 'query')
    .map(({ name, description: text, required, example }) => ({
      key: name,
      value: example === undefined ? '' : String(example),
      description: text,
      disabled: !required,
    }));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const segments = path.slice(1).split('/');
  const body = exampleOf(requestBody?.content['application/json'], resolve);
  return {
    name: summary,
    request: {
      ...(description === undefined ? {} : { description }),
      method: method.toUpperCase(),
      header: body === undefined ? [] : [{ key: 'content-type', value: 'application/json' }],
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(body, undefined, 2) } }),
      url: {
        raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
        host: ['{{baseUrl}}'],
        path: segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1')),
        query,
        variable: known
          .filter((each) => each.in === 'path')
          .map(({ name, description: text, example }) => ({ key: name, value: String(example), description: text })),
      },
    },
  };
}

function exampleOf(content, resolve) {
  if (content === undefined) return undefined;
  if (content.example !== undefined) return content.example;
  if (content.examples !== undefined) return Object.values(content.examples).map(resolve)[0].value;
  return resolve(content.schema).examples?.[0];
}

function pairs(values) {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
}
