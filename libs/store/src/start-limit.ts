/**
 * How long a store may take to start, and to be brought to what this program knows (milliseconds): indexes and documents are
 * made anew for as long as that makes progress, and a server that is away is told of long before.
 */
export const PREPARE_WITHIN_MS = 6 * 60 * 60_000;
