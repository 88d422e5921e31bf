import { boolean, recordSchema, string, timestampSchema } from '@busbar/api';

const MAX_TEXT = 200;
const given = { type: 'string', minLength: 1, maxLength: MAX_TEXT } as const;

export interface SignInInput {
  readonly clientId?: string;
  readonly apiKey?: string;
  readonly code?: string;
}

/** Either `clientId` and `apiKey`, or `code`. */
export const signInSchema = recordSchema(
  'SignIn',
  'An API key, or the code of a sign-in link.',
  {},
  { clientId: given, apiKey: given, code: given },
);

export const sessionSchema = recordSchema('ConsoleSession', 'Who is signed in.', {
  clientId: string,
  clientName: string,
  keyId: string,
  keyName: string,
  permissions: { type: 'array', items: string },
  /** The key has the permission `operator`. */
  operator: boolean,
  createdAt: timestampSchema,
  /** The latest end, by age or by the expiry of the key. */
  expiresAt: timestampSchema,
});
