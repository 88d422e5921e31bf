// Decides which requests are upgrades. A request for an upgrade that no handler accepts is an ordinary request (RFC 9110 clause
// 7.8), with its body. Before version 24.9 Node supports only all or none, and asks the message itself.
import { IncomingMessage } from 'node:http';

/** Node's parser sets it and Node reads it: whether the message is an upgrade. Not part of Node's types. */
const upgrade = 'upgrade';

interface UpgradeRequest {
  isUpgradeRequested?: boolean;
}

/** The class of a server's requests, of which only those that `accepts` returns true for are upgrades. */
export function messageClass(accepts: (request: IncomingMessage) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage implements UpgradeRequest {
    declare isUpgradeRequested?: boolean;

    get [upgrade](): boolean {
      return this.isUpgradeRequested === true && accepts(this);
    }

    set [upgrade](requested: unknown) {
      this.isUpgradeRequested = requested === true;
    }
  };
}

/**
 * Returns whether the request asked for an upgrade and is an ordinary one. Node's parser loses bytes that follow it, so
 * nothing later on its connection is reliable.
 */
export function isIgnoredUpgrade(request: IncomingMessage): boolean {
  return (request as UpgradeRequest).isUpgradeRequested === true;
}
