import { mongo } from 'mongoose';

import { AppError } from '@busbar/core';

const DUPLICATE = 11_000;
const AUTHENTICATION = [13, 18, 8000];
// Error codes of operations that fail however often they are repeated: BadValue, FailedToParse, TypeMismatch,
// PathNotViable, ConflictingUpdateOperators, DollarPrefixedFieldName, EmptyFieldName, too large, and the like. 10003
// and some others are those of the stand-in.
const REFUSALS = new Set([2, 9, 14, 28, 40, 52, 56, 57, 16837, 10003, 10334, 17419, 17280]);

/**
 * Converts a driver's error: `internal` where the operation is at fault, else `unavailable`, since a retry may succeed.
 */
export function storeError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (isRefusal(cause)) return new AppError('internal', 'the store refused an operation', { cause });
  return new AppError('unavailable', 'the store does not answer', { cause });
}

export function isDuplicate(error: unknown): error is mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE;
}

export function isDuplicateCode(code: number | string | undefined): boolean {
  return code === DUPLICATE;
}

export function isRefusalCode(code: number | string | undefined): boolean {
  return typeof code === 'number' && REFUSALS.has(code);
}

export function isCredentialsError(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && AUTHENTICATION.includes(Number(error.code));
}

/** The TLS errors of an untrusted certificate. The driver passes on their text alone. */
export function isCertificateError(error: unknown): boolean {
  return error instanceof Error && /certificate/i.test(error.message);
}

/** The driver's errors for a URL and its options, by name: its URL parser has a class of its own. */
export function isAddressError(error: unknown): boolean {
  return error instanceof Error && ['MongoParseError', 'MongoInvalidArgumentError'].includes(error.name);
}

/** No server refused the connection, and none answered: it may be busy. mongoose has an error of its own for it. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Server selection timed out');
}

function isRefusal(error: unknown): boolean {
  if (error instanceof mongo.MongoServerError) return isRefusalCode(error.code);
  // The driver's own errors: a document that is too large or cannot be encoded, an invalid argument.
  return (
    error instanceof mongo.MongoInvalidArgumentError ||
    error instanceof mongo.BSON.BSONError ||
    error instanceof RangeError ||
    error instanceof TypeError
  );
}
