// The section `webhooks` of an OpenAPI document: requests that the service sends to its clients (OpenAPI 3.1).
import type { JSONSchema } from 'json-schema-to-ts';
import type { Components, Json } from './components';

/** One request that the service sends. */
export interface DocumentedWebhook {
  /** Its key in the section. */
  readonly name: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly body: JSONSchema;
  readonly example: unknown;
}

export interface DocumentedHeader {
  readonly description: string;
  readonly example: string;
  /** Default true. */
  readonly required?: boolean;
}

export interface DocumentedWebhooks {
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, DocumentedHeader>>;
  /** What each response means, by its status. */
  readonly responses: Readonly<Record<string, string>>;
  readonly requests: readonly DocumentedWebhook[];
}

export function webhooksSection({ headers, responses, requests }: DocumentedWebhooks, components: Components): Json {
  const parameters = Object.entries(headers).map(([name, { description, example, required = true }]) =>
    components.add('parameters', `webhook.${name}`, {
      name,
      in: 'header',
      required,
      description,
      schema: { type: 'string' },
      example,
    }),
  );
  const meanings = Object.entries(responses).map(([status, description]) => [status, { description }]);
  return Object.fromEntries(
    requests.map(({ name, operationId, tag, summary, description, body, example }) => {
      const content = components.content(body, { [operationId]: { summary, value: example } });
      const post = {
        operationId,
        summary,
        description,
        tags: [tag],
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': content } },
        responses: Object.fromEntries(meanings) as Json,
      };
      return [name, { post }];
    }),
  );
}
