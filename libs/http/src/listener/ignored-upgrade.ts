// Which requests leave HTTP. One that asks for an upgrade that nobody takes is the request that it would be without asking (RFC
// 9110 clause 7.8), its body included. Node knows no more than "all or none" before its version 24.9, and asks the message itself.
import { IncomingMessage } from 'node:http';

/** Set by Node's parser, and asked by Node: whether the message leaves HTTP. No part of its types. */
const upgrade = 'upgrade';

interface Asking {
  isAskedFor?: boolean;
}

/** The class of a server's requests, of which only those leave HTTP that `takes` says so of. */
export function messageClass(takes: (request: IncomingMessage) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage implements Asking {
    declare isAskedFor?: boolean;

    get [upgrade](): boolean {
      return this.isAskedFor === true && takes(this);
    }

    set [upgrade](asked: unknown) {
      this.isAskedFor = asked === true;
    }
  };
}

/**
 * Whether the request asked for an upgrade and is an ordinary one all the same. Behind it Node's parser loses what has come
 * already: nothing that follows on its connection can be trusted to be whole.
 */
export function isIgnoredUpgrade(request: IncomingMessage): boolean {
  return (request as Asking).isAskedFor === true;
}
