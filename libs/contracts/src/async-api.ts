// Builds the AsyncAPI document of the messages between the services from the channel table.
import type { Channel } from './channel';
import { describeChannels } from './channels';

const KINDS = {
  queue: 'A durable queue; bodies are persistent, confirmed, consumed in order.',
  broadcast: 'Reaches every present listener.',
  direct: 'Reaches the listener at the address. The sender is notified where there is none.',
} as const;

/** An AsyncAPI 3.0 document as plain data. */
export function buildAsyncApi(): Readonly<Record<string, unknown>> {
  const channels = describeChannels();
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Busbar internal messages',
      version: '1.0.0',
      description: 'For developers of Busbar. Integrators use the HTTP APIs.',
      license: { name: 'Apache-2.0' },
    },
    channels: Object.fromEntries(channels.map((channel) => [channel.name, describe(channel)])),
    operations: Object.fromEntries(channels.flatMap(operationsOf)),
  };
}

function describe(channel: Channel): Readonly<Record<string, unknown>> {
  const answer =
    channel.kind === 'direct' && channel.answerSchema !== undefined
      ? { answer: { title: 'The response', payload: channel.answerSchema } }
      : {};
  return {
    address: addressOf(channel),
    description: `${channel.purpose} ${KINDS[channel.kind]}`,
    messages: { body: { title: channel.name, payload: channel.schema }, ...answer },
  };
}

function addressOf(channel: Channel): string {
  if (channel.kind === 'queue') return channel.partitioned ? `${channel.name}.{partition}` : channel.name;
  return channel.kind === 'direct' && !channel.shared ? `${channel.name}.{key}` : channel.name;
}

function operationsOf(channel: Channel): (readonly [string, unknown])[] {
  const reference = { $ref: `#/channels/${channel.name}` };
  return [
    ...channel.publishedBy.map((who) => [`${who} → ${channel.name}`, { action: 'send', channel: reference }] as const),
    ...channel.consumedBy.map(
      (who) => [`${channel.name} → ${who}`, { action: 'receive', channel: reference }] as const,
    ),
  ];
}
