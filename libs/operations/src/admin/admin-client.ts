// Sends a command line to the running process that has the data directory.
import { connect } from 'node:net';
import { AppError } from '@busbar/core';
import { errnoOf } from '@busbar/runtime';
import { misuse, type AdminResult } from './command';
import { parseAdminReply } from './protocol';
import { findAdminSocket } from './socket-path';

const REPLY_BYTES = 16 * 1024 * 1024;
const REPLY_WITHIN_MS = 10 * 60 * 1000;
/** No process listens: no such socket, a socket that a killed process left, or no such directory. */
const NOT_LISTENING = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR']);

/**
 * Runs a command line in the process that has the data directory. Undefined without such a process. Rejects with
 * `invalid_request` and the message of a command that failed, with `unavailable`, or with `invalid_configuration` where
 * another user may be listening. An aborted signal gives up the answer; the command continues.
 */
export async function askRunningProcess(
  directory: string,
  line: readonly string[],
  signal?: AbortSignal,
): Promise<AdminResult | undefined> {
  const path = socketOf(directory);
  const text = path === undefined ? undefined : await exchange(path, `${JSON.stringify({ line })}\n`, signal);
  if (text === undefined) return undefined;
  const reply = parseAdminReply(text);
  if (reply.ok) return { lines: reply.lines, data: reply.data };
  throw reply.isMisuse === true ? misuse(reply.message) : new AppError('invalid_request', reply.message);
}

function socketOf(directory: string): string | undefined {
  try {
    return findAdminSocket(directory);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function exchange(path: string, request: string, signal?: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(path, () => socket.write(request));
    const giveUp = (): void => void socket.destroy(new Error('interrupted'));
    signal?.addEventListener('abort', giveUp);
    socket.on('close', () => signal?.removeEventListener('abort', giveUp));
    socket.setEncoding('utf8');
    socket.setTimeout(REPLY_WITHIN_MS, () => socket.destroy(new Error('no answer in time')));
    socket.on('data', (chunk: string) => {
      reply += chunk;
      if (reply.length > REPLY_BYTES) socket.destroy(new Error('the answer is too long'));
    });
    socket.on('end', () => resolve(reply));
    socket.on('error', (cause) => {
      const code = errnoOf(cause);
      if (code !== undefined && NOT_LISTENING.has(code)) resolve(undefined);
      else
        reject(
          new AppError(
            'unavailable',
            `The running process cannot be reached: ${cause.message}. Try again, or restart it.`,
            { cause },
          ),
        );
    });
  });
}
