/**
 * The longest start of a store in milliseconds, migrations included. Creating indexes may take long; an unavailable
 * server is reported much earlier.
 */
export const PREPARE_WITHIN_MS = 6 * 60 * 60_000;
