// The kinds of settings. Each takes the variable, one line about it, and its default. The default `undefined` makes the value
// optional; `required` makes it mandatory.
import { BlockList, isIP } from 'node:net';
import { isOwnAddress } from './own-address';
import type { Setting } from './setting';

const MAX_LITERALS = 100;
const LITERAL = /^[\w.-]{3,64}$/;
const DECIMAL = /^\d{1,9}(?:\.\d{1,9})?$/;
const MAX_NAMES = 20;
const MAX_PATHS = 5;
/** One label of a host name (RFC 1123). */
const LABEL = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/;
const MAX_HOST_NAME = 253;

interface WithDefault<D> {
  readonly default: D;
}

/** A whole number from `min` to `max`, both included. */
export function integer<D extends number | undefined>(
  variable: string,
  about: string,
  options: WithDefault<D> & { readonly min: number; readonly max: number },
): Setting<number | D> {
  return define(variable, about, options.default, {
    expects: `a whole number from ${String(options.min)} to ${String(options.max)}`,
    schema: { type: 'integer', minimum: options.min, maximum: options.max },
    parse: (text) => wholeNumber(text, options.min, options.max),
  });
}

/** A number from `min` to `max`, both included, with a point where it has a fraction. */
export function decimal(
  variable: string,
  about: string,
  options: WithDefault<number> & { readonly min: number; readonly max: number },
): Setting<number> {
  const { min, max } = options;
  return define(variable, about, options.default, {
    expects: `a number from ${String(min)} to ${String(max)}`,
    schema: { type: 'number', minimum: min, maximum: max },
    parse(text) {
      const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  });
}

/** A TCP port; 0 means any free one. */
export function port<D extends number | undefined>(
  variable: string,
  about: string,
  options: WithDefault<D>,
): Setting<number | D> {
  return define(variable, about, options.default, {
    expects: 'a port number from 0 to 65535 (0: any free one)',
    schema: { type: 'integer', minimum: 0, maximum: 65_535 },
    parse: (text) => wholeNumber(text, 0, 65_535),
  });
}

/** An address of this machine, or a host name, which only listening resolves. */
export function listenAddress<D extends string | undefined>(
  variable: string,
  about: string,
  options: WithDefault<D>,
): Setting<string | D> {
  return define(variable, about, options.default, {
    expects: 'an address or host name of this machine',
    parse: (value) => (isOwnAddress(value) || isListenName(value) ? value : undefined),
  });
}

/** A TCP port, or the word `off`, which gives undefined. */
export function optionalPort(
  variable: string,
  about: string,
  options: WithDefault<number | 'off'>,
): Setting<number | 'off'> {
  return define<number | 'off', number | 'off'>(variable, about, options.default, {
    expects: 'a port number from 0 to 65535 (0: any free one), or off',
    parse: (text) => (text === 'off' ? 'off' : wholeNumber(text, 0, 65_535)),
  });
}

/** `true` or `false`. */
export function flag(variable: string, about: string, options: WithDefault<boolean>): Setting<boolean> {
  return define<boolean, boolean>(variable, about, options.default, {
    expects: 'true or false',
    schema: { type: 'boolean' },
    parse: (text) => ({ true: true, false: false })[text.toLowerCase()],
  });
}

/** One word of a list. */
export function choice<const V extends string, D extends V | undefined>(
  variable: string,
  about: string,
  options: WithDefault<D> & { readonly of: readonly V[] },
): Setting<V | D> {
  return define(variable, about, options.default, {
    expects: `one of ${options.of.join(', ')}`,
    schema: { enum: options.of },
    parse: (text) => options.of.find((value) => value === text),
  });
}

/** Several words of a list, separated by commas, each at most once, in the order given. */
export function choices<const V extends string>(
  variable: string,
  about: string,
  options: WithDefault<readonly V[]> & { readonly of: readonly V[] },
): Setting<readonly V[]> {
  return define<readonly V[], readonly V[]>(variable, about, options.default, {
    expects: `one or more of ${options.of.join(', ')}, separated by commas`,
    parse: (text) => textsOf(text, options.of),
  });
}

/** Literal words, separated by commas. Empty by default. */
export const literals = listOf(
  'up to 100 words of 3 to 64 letters, digits, `_`, `-` or `.`, separated by commas',
  literalsOf,
);

/** Networks in CIDR notation, or single addresses, separated by commas. Empty by default. */
export const cidrs = listOf('addresses or networks such as 10.0.0.0/8, separated by commas', networksOf);

/** Host names and addresses, separated by commas. Empty by default. */
export const names = listOf(
  'up to 20 host names or addresses such as chargers.example.com or 192.0.2.1, separated by commas',
  namesOf,
);

/** Text that matches a pattern; `expects` describes the pattern for people. */
export function text<D extends string | undefined>(
  variable: string,
  about: string,
  options: WithDefault<D> & { readonly pattern: RegExp; readonly expects: string; readonly secret?: boolean },
): Setting<string | D> {
  return define(variable, about, options.default, {
    expects: options.expects,
    secret: options.secret ?? false,
    parse: (value) => (options.pattern.test(value) ? value : undefined),
  });
}

/** A URL of one of these schemes (`amqp://`, `file:` …). Never shown: it may hold a password. */
export function url<D extends string | undefined>(
  variable: string,
  about: string,
  options: WithDefault<D> & { readonly schemes: readonly string[] },
): Setting<string | D> {
  const list = options.schemes.join(', ').replace(/, ([^,]*)$/, ' or $1');
  return define(variable, about, options.default, {
    expects: `a URL that begins with ${list}`,
    secret: true,
    parse: (value) => (options.schemes.some((scheme) => value.startsWith(scheme)) ? value : undefined),
  });
}

/** The path of a file, which is not opened here. */
export function path(variable: string, about: string): Setting<string | undefined> {
  return define<string, undefined>(variable, about, undefined, {
    expects: 'the path of a file',
    parse: (value) => (value.includes('\0') ? undefined : value),
  });
}

/** The paths of files, which are not opened here, separated by commas: no path has one itself. */
export function paths(variable: string, about: string): Setting<readonly string[] | undefined> {
  return define<readonly string[], undefined>(variable, about, undefined, {
    expects: 'the path of a file, or up to 5 paths, separated by commas',
    parse: pathsOf,
  });
}

/** Returns whether a certificate can be made for the name: labels of letters, digits and `-`, separated by dots. */
export function isHostName(name: string): boolean {
  return name.length <= MAX_HOST_NAME && name.split('.').every((label) => LABEL.test(label));
}

/** The same setting as a mandatory one. */
export function required<T>(setting: Setting<T>): Setting<Exclude<T, undefined>> {
  return {
    ...setting,
    defaultText: undefined,
    required: true,
    parse: (value) => setting.parse(value) as Exclude<T, undefined> | undefined,
    fallback: () => undefined,
  };
}

/** The same setting, for tests and trials alone: no document for operators has it. */
export function omittedFromDocuments<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, omitted: true };
}

function listOf(expects: string, parse: Setting<readonly string[]>['parse']) {
  return (variable: string, about: string): Setting<readonly string[]> =>
    define<readonly string[], readonly string[]>(variable, about, [], { expects, parse });
}

/** A text unless `kind` has another schema. */
function define<T, D extends T | undefined>(
  variable: string,
  about: string,
  fallback: D,
  kind: Pick<Setting<T>, 'expects' | 'parse'> & Partial<Pick<Setting<T>, 'schema' | 'secret'>>,
): Setting<T | D> {
  // An empty list is no default that one would write.
  const defaultText = fallback === undefined ? '' : String(fallback);
  return {
    variable,
    about,
    schema: { type: 'string' },
    secret: false,
    ...kind,
    defaultText: defaultText === '' ? undefined : defaultText,
    required: false,
    fallback: () => fallback,
  };
}

function wholeNumber(value: string, min: number, max: number): number | undefined {
  if (!/^-?\d{1,15}$/.test(value)) return undefined;
  const number = Number(value);
  return number >= min && number <= max ? number : undefined;
}

function textsOf<V extends string>(value: string, known: readonly V[]): readonly V[] | undefined {
  const words = value.split(',').map((word) => word.trim());
  const found = words.flatMap((word) => known.filter((candidate) => candidate === word));
  return found.length === words.length && new Set(found).size === found.length ? found : undefined;
}

function literalsOf(value: string): readonly string[] | undefined {
  const words = value.split(',').map((word) => word.trim());
  return words.length <= MAX_LITERALS && words.every((word) => LITERAL.test(word)) ? words : undefined;
}

function namesOf(value: string): readonly string[] | undefined {
  const found = value.split(',').map((name) => name.trim().toLowerCase());
  const isAllowed = (name: string): boolean => isIP(name) !== 0 || (isHostName(name) && !isNumeric(name));
  return found.length <= MAX_NAMES && found.every(isAllowed) ? found : undefined;
}

function pathsOf(value: string): readonly string[] | undefined {
  const found = value.split(',').map((name) => name.trim());
  const isAllowed = (name: string): boolean => name !== '' && !name.includes('\0');
  return found.length <= MAX_PATHS && found.every(isAllowed) ? found : undefined;
}

/** Container engines allow underscores too. */
function isListenName(value: string): boolean {
  return isHostName(value.replaceAll('_', '-')) && !isNumeric(value);
}

/** A mistyped address, such as 192.168.1 or 10.0.0.300: no top-level domain is a number. */
function isNumeric(name: string): boolean {
  return wholeNumber(name.slice(name.lastIndexOf('.') + 1), 0, Number.MAX_SAFE_INTEGER) !== undefined;
}

function networksOf(value: string): readonly string[] | undefined {
  const networks = value.split(',').map((network) => network.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  const bits = wholeNumber(prefix, 0, family === 4 ? 32 : 128);
  if (bits === undefined) return false;
  new BlockList().addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  return true;
}
