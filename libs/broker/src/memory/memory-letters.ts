import type { Logger } from '@busbar/core';
import { guarded } from '../guarded';
import { inContext, type MessageContext } from '../message-context';
import type { BrokerParts } from '../open-subscriptions';
import type { PendingRequests } from '../pending-requests';
import type { Broker, Subscription } from '../port';
import { createResponder } from '../responder';
import type { Listener, MemoryHub } from './memory-hub';

interface MemoryLettersDeps extends BrokerParts {
  readonly hub: MemoryHub;
  readonly logger: Logger;
  readonly pending: PendingRequests;
  readonly takes: () => boolean;
  readonly context: MessageContext | undefined;
}

export type MemoryLetters = Pick<Broker, 'broadcast' | 'listen' | 'post' | 'receive' | 'request' | 'respond'>;

/** The half of a memory broker without storage: broadcasts, letters to an address, requests. */
export function createMemoryLetters(deps: MemoryLettersDeps): MemoryLetters {
  const { logger, pending, subscriptions, mustRun, takes, context } = deps;
  const hub = withContext(deps.hub, context);
  const join = async (address: string, handle: Listener): Promise<Subscription> => {
    await Promise.resolve();
    mustRun();
    let open = true;
    const leave = hub.join(address, (body, responded) => {
      if (open) guarded(logger, address, () => handle(body, responded));
    });
    return subscriptions.add(() => {
      open = false;
      return Promise.resolve(leave());
    });
  };

  return {
    broadcast(channel, body) {
      if (!takes()) return;
      const listeners = hub.listeners(channel.name, false);
      if (listeners.length === 0) return;
      hub.later(() => {
        for (const listener of listeners) listener(body);
      });
    },
    // Bodies have the type of the channel, here and below.
    listen: (channel, handler) => join(channel.name, handler as Listener),

    post(channel, key, body) {
      if (!takes()) return;
      hub.later(() => {
        for (const listener of hub.listeners(addressOf(channel, key), channel.shared)) listener(body);
      });
    },
    receive: (channel, key, handler) => join(addressOf(channel, key), handler as Listener),

    async request(channel, key, body, deadlineMs) {
      const opened = takes() ? pending.open<never>(deadlineMs) : undefined;
      if (!opened) return { outcome: 'unavailable' };
      const { id, outcome } = opened;
      const taken = hub.later(() => {
        const listeners = hub.listeners(addressOf(channel, key), channel.shared);
        if (listeners.length === 0) pending.complete(id, { outcome: 'nobody' });
        for (const listener of listeners) {
          listener(body, (response) => pending.complete(id, response));
        }
      });
      if (!taken) pending.complete(id, { outcome: 'unavailable' });
      return outcome;
    },
    respond: (channel, key, handler) => {
      const address = addressOf(channel, key);
      const respondTo = createResponder({ channel, address, handler, logger });
      return join(address, (body, responded) => {
        void respondTo(body).then((response) => {
          if (response) responded?.(response);
        });
      });
    },
  };
}

/** Letters are delivered later, many in one turn: each in the context of its own sender. */
function withContext(hub: MemoryHub, context: MessageContext | undefined): MemoryHub {
  if (context === undefined) return hub;
  return {
    ...hub,
    later(task) {
      const headers = context.headers();
      return hub.later(() => inContext(context, headers, task));
    },
  };
}

function addressOf(channel: { readonly name: string }, key: string): string {
  return `${channel.name}.${key}`;
}
