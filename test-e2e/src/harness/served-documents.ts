// Checks responses of a world's APIs against the OpenAPI documents that they serve.
import { createReplyChecker } from '@busbar/http/testing';
import { http, type HttpReply } from './http';

type Check = ReturnType<typeof createReplyChecker>;

export interface ServedDocuments {
  /** Throws with what the document at this address does not say of the reply. `path` begins with the API's own. */
  check(
    documentUrl: string,
    asked: { readonly method: string; readonly path: string },
    reply: HttpReply,
  ): Promise<void>;
}

/** Each document is asked for once, by the first reply that is compared with it; a restart serves the same one. */
export function createServedDocuments(): ServedDocuments {
  const checks = new Map<string, Check>();

  async function checkOf(documentUrl: string): Promise<Check> {
    const name = new URL(documentUrl).pathname;
    const known = checks.get(name);
    if (known !== undefined) return known;
    const document = await http(documentUrl);
    if (document.status !== 200) throw new Error(`${documentUrl} responded ${String(document.status)}`);
    const check = createReplyChecker(document.json as Readonly<Record<string, unknown>>);
    checks.set(name, check);
    return check;
  }

  return {
    async check(documentUrl, asked, reply) {
      const check = await checkOf(documentUrl);
      const wrong = check({ ...asked, ...reply });
      if (wrong.length > 0)
        throw new Error(`${asked.method} ${asked.path} is not answered as documented: ${wrong.join('; ')}`);
    },
  };
}
