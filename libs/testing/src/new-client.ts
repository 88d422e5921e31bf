// Further clients of a service that runs, made as a provider makes them: from the command line.
import { execFile } from 'node:child_process';
import { join } from 'node:path';

export interface NewClient {
  readonly clientId: string;
  readonly apiKey: string;
}

const MAIN = join(__dirname, '../../../tools/admin/dist/main.js');
const WITHIN_MS = 60_000;

/** Makes a client in the store of this URL. Rejects with what the command printed. */
export async function newClient(storeUrl: string, name: string): Promise<NewClient> {
  const printed = await new Promise<string>((resolve, reject) => {
    const env = { PATH: process.env['PATH'], STORE_URL: storeUrl };
    execFile(process.execPath, [MAIN, 'client', 'create', name], { env, timeout: WITHIN_MS }, (error, out, err) => {
      if (error === null) resolve(out);
      else reject(new Error(`${out}${err}`, { cause: error }));
    });
  });
  const [, clientId] = /client id\s+(\S+)/.exec(printed) ?? [];
  const [, apiKey] = /API key\s+(\S+)/.exec(printed) ?? [];
  if (clientId === undefined || apiKey === undefined) throw new Error(`no client in: ${printed}`);
  return { clientId, apiKey };
}
