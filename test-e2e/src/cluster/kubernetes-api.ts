// Objects of the cluster, read and written as a client of the API server; and kubectl, for what operators do with it.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { promisify } from 'node:util';

export interface KubernetesObject {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
}

export interface KubernetesApi {
  /** Reads a path such as `/api/v1/namespaces/busbar/pods`. Rejects unless it answers with success. */
  get<T>(path: string): Promise<T>;
  patch(path: string, body: unknown): Promise<void>;
  delete(path: string, body?: unknown): Promise<void>;
  /** Creates; gives the status of the answer, whatever it is. */
  post(path: string, body: unknown): Promise<number>;
  /** With this input; gives what it printed. Rejects with what it wrote when it fails. */
  kubectl(kubectlArguments: readonly string[], input?: unknown): Promise<string>;
  /** `kubectl port-forward` to a port of an object such as `service/busbar-v2-api`, from a free port of loopback. */
  portForward(namespace: string, object: string, port: number): Promise<PortForward>;
}

export interface PortForward {
  readonly port: number;
  stop(): Promise<void>;
}

export interface ApiOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly kube: string;
  readonly kubeconfig: string;
}

const TIMEOUT_MS = 30_000;
const KUBECTL_MS = 300_000;

export function createKubernetesApi({ host, port, token, kube, kubeconfig }: ApiOptions): KubernetesApi {
  const agent = new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });

  function send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': contentType(method) };
      const asked = request({ host, port, path, method, agent, headers, timeout: TIMEOUT_MS }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      });
      asked.on('error', reject);
      asked.on('timeout', () => asked.destroy(new Error(`no answer to ${method} ${path}`)));
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function must(method: string, path: string, body?: unknown): Promise<string> {
    const { status, text } = await send(method, path, body);
    if (status >= 200 && status < 300) return text;
    throw new Error(`${method} ${path} gave ${String(status)}: ${text}`);
  }

  return {
    get: async <T>(path: string) => JSON.parse(await must('GET', path)) as T,
    async patch(path, body) {
      await must('PATCH', path, body);
    },
    async delete(path, body) {
      await must('DELETE', path, body);
    },
    post: async (path, body) => (await send('POST', path, body)).status,
    async kubectl(kubectlArguments, input) {
      const all = ['kubectl', '--kubeconfig', kubeconfig, ...kubectlArguments];
      if (input !== undefined) return withInput([kube, ...all], JSON.stringify(input));
      const { stdout } = await promisify(execFile)(kube, all, { timeout: KUBECTL_MS, maxBuffer: 64 * 1024 * 1024 });
      return stdout;
    },
    portForward(namespace, object, port) {
      const inNamespace = ['kubectl', '--kubeconfig', kubeconfig, '--namespace', namespace];
      return forwarded(spawn(kube, [...inNamespace, 'port-forward', object, `:${String(port)}`]));
    },
  };
}

/** Resolves when it listens. */
async function forwarded(child: ChildProcessWithoutNullStreams): Promise<PortForward> {
  const ended = once(child, 'close');
  let output = '';
  const port = new Promise<number>((resolve) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      const listening = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(output);
      if (listening !== null) resolve(Number(listening[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  const outcome = await Promise.race([port, ended]);
  if (typeof outcome !== 'number') throw new Error(`kubectl port-forward ended: ${output}`);
  return {
    port: outcome,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

function contentType(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

function withInput([program, ...programArguments]: readonly [string, ...string[]], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, { stdio: ['pipe', 'pipe', 'pipe'], timeout: KUBECTL_MS });
    let [printed, failure] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (failure += chunk.toString('utf8')));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`kubectl ${programArguments.slice(3).join(' ')} failed: ${failure}`));
    });
    child.stdin.end(input);
  });
}
