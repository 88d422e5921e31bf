// Decides which names of configuration keys, fields and settings stand for a secret, by the words in the name. Words that are
// also part of harmless ones (`Ping`, `bypass`, `idToken`) count only as whole words.

/** Every name of a secret has one of these words. Most names have none, so one test decides. */
const POSSIBLE = /pass|secret|credential|pwd|psk|key|pin|token/i;
/** Anywhere in a name, in any case. */
const CERTAIN =
  /passw|passphrase|secret|credential|pwd|psk|(?:authorization|auth|access|private|shared|api|encryption|signing|wpa|wep|wifi|vpn)[\s_.-]*key/i;
/** Not `bypass`, `compass`, `passive`, `passenger`, `PassThrough`, and not 2.x's `MasterPassGroupId`. */
const PASS = /(?<!by|com|sur|tres|over|under)pass(?!ive|enger|age|ed|ing|[\s_-]?(?:thr|group))/i;
/** Not `Ping`, `Mapping`, `Spin`: the word ends behind it, where case or a separator says so. */
const PIN = /(?<!(?:^|[^A-Za-z])[sS]|[a-z]S)[Pp]ins?(?![a-z])/;
const UPPER_PIN = /PINs?(?![a-z]|[GN](?![a-z]))/;
const PIN_CODE = /pin[\s_.-]*(?:code|number|hash|block|value|val(?![a-z])|gsm)/i;
/** `simpina`; not `SimPing`. */
const SIM_PIN = /sim[\s_.-]*pin(?!g|n)/i;
/** Not a driver's: `idToken`, `id_token`, `groupIdToken`, `RFIDToken`. */
const TOKEN = /(?<!(?:^|[^a-z])id[\s_-]?|groupid|rfid[\s_-]?)token/i;
const CAMEL_ID_TOKEN = /[a-z]I[dD][\s_-]?[tT]oken/;
/** Tokens that grant access, unlike a driver's. */
const LOGIN_TOKEN = /(?:oauth2?|oidc|openid|jwt|bearer|login)[\s_.-]*(?:id[\s_.-]*)?token/i;

export interface SecretNames {
  /** Returns whether the name, or a text that is only a name, stands for a secret. */
  isSecret(name: unknown): boolean;
  /** Returns whether one of the operator's own words is in a text. */
  hasOwnWord(text: string): boolean;
}

/** `words`: further words, in any case. They are no patterns, so none can be slow. */
export function createSecretNames(words: readonly string[] = []): SecretNames {
  const own = words.map((word) => word.toLowerCase());

  function hasOwnWord(text: string): boolean {
    if (own.length === 0) return false;
    const lower = text.toLowerCase();
    return own.some((word) => lower.includes(word));
  }

  return {
    hasOwnWord,
    isSecret: (name) => typeof name === 'string' && (isSecretName(name) || hasOwnWord(name)),
  };
}

function isSecretName(name: string): boolean {
  if (!POSSIBLE.test(name)) return false;
  if (CERTAIN.test(name) || PASS.test(name) || isPin(name) || LOGIN_TOKEN.test(name)) return true;
  return TOKEN.test(name) && !CAMEL_ID_TOKEN.test(name);
}

function isPin(name: string): boolean {
  return PIN.test(name) || UPPER_PIN.test(name) || PIN_CODE.test(name) || SIM_PIN.test(name);
}
