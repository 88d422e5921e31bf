// The tests that the OpenAPI documents of both APIs pass.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bodyExample,
  documentIssues,
  operationsOf,
  type DocumentedBodies,
  type DocumentedBody,
} from '@busbar/http/testing';
import { openApiDocument, type ApiDefinition } from '../api-app';
import { codeOf, openApi, type TestApi, type TestClient } from './open-app';

export interface DocumentSuite {
  readonly definition: ApiDefinition;
  /** Its file in docs/api. */
  readonly file: string;
  readonly credentialsOf: (client: TestClient) => {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: string;
  };
  /**
   * The outcome of each operation, called as the document shows it: on a new store, in the order of the document, deletions
   * last. Those with 200 are left out.
   */
  readonly outcomes: Readonly<Record<string, string>>;
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

interface Operation extends DocumentedBody {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly responses: { readonly 200: { readonly content: object } };
}

interface Document extends DocumentedBodies {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Listed = ReturnType<typeof operationsOf<Operation>>[number];

export function describeDocument({ definition, file, credentialsOf, outcomes }: DocumentSuite): void {
  describe(`the document of ${definition.name}`, () => {
    const json = JSON.stringify(openApiDocument(definition));
    const document = JSON.parse(json) as Document;
    let api: TestApi;
    beforeAll(async () => {
      api = await openApi(definition);
    });
    afterAll(() => api.close());

    it(`equals docs/api/${file} (npm run documents writes it)`, () => {
      const written = readFileSync(join(__dirname, '../../../../docs/api', file), 'utf8');
      expect(JSON.parse(written)).toEqual(document);
    });

    it('is that of the running API', () => {
      expect(JSON.parse(JSON.stringify(api.app.openApi))).toEqual(document);
    });

    it('describes everything and has a valid example of each body, response and error', () => {
      expect(documentIssues(JSON.parse(json) as Readonly<Record<string, unknown>>)).toEqual([]);
    });

    it('has examples that can be sent as they are', async () => {
      const { headers = {}, query } = credentialsOf(api.own);
      const found: Record<string, string> = {};
      for (const operation of inOrderOfUse(operationsOf(document))) {
        const { definition: called } = operation;
        // A stream stays open.
        const method = 'text/event-stream' in called.responses['200'].content ? 'HEAD' : operation.method;
        const path = [pathOf(operation), queryOf(called, query)].filter((part) => part !== '').join('?');
        const body = bodyExample(document, called);
        const reply = await api.callRaw(method, path, { headers, ...(body === undefined ? {} : { body }) });
        if (reply.status !== 200) found[called.operationId] = codeOf(reply);
      }
      expect(found).toEqual(outcomes);
    });
  });
}

/** Deletions are last, and the record that was created last is deleted first. */
function inOrderOfUse(operations: readonly Listed[]): readonly Listed[] {
  const deletions = operations.filter(({ method }) => method === 'DELETE');
  return [...operations.filter(({ method }) => method !== 'DELETE'), ...deletions.reverse()];
}

/** The required parameters of the query, and the credentials. */
function queryOf({ parameters }: Operation, credentials: string | undefined): string {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  const named = required.map(({ name = '', example }) => `${name}=${encodeURIComponent(String(example))}`);
  return [...named, ...(credentials === undefined ? [] : [credentials])].join('&');
}

function pathOf({ template, definition: { parameters } }: Listed): string {
  const examples = new Map(parameters.map(({ name, example }) => [name, String(example)]));
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(examples.get(name) ?? ''));
}
