import { integer, positive, record, text, type ValueOf } from './schema';

/** The last page that was added to the feed of a client in a partition. */
export const eventPage = record({ clientId: text, partition: integer, page: positive });

export type EventPageHint = ValueOf<typeof eventPage>;
