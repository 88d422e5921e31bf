// Style is prettier's; this holds what design needs holding: types, promises, sizes, and who may import whom.
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { dictionary } from './tools/lint/dictionary.mjs';

/** Both HTTP APIs may import the same. They reach broker and store through `libs/api`; only their tests import the store. */
const HTTP_API = ['core', 'ocpp', 'domain', 'store', 'http', 'runtime', 'api'];

/** The packages that each package may import. Libraries never import services; services never import each other. */
const LAYERS = {
  'libs/core': [],
  'libs/contracts': ['core'],
  'libs/ocpp': ['core', 'contracts'],
  'libs/domain': ['core', 'contracts'],
  'libs/broker': ['core', 'contracts'],
  'libs/store': ['core', 'contracts', 'domain'],
  'libs/http': ['core', 'contracts'],
  'libs/runtime': ['core', 'contracts', 'domain', 'broker', 'store', 'http'],
  'libs/operations': ['core', 'contracts', 'domain', 'broker', 'store', 'runtime'],
  'libs/api': ['core', 'contracts', 'domain', 'ocpp', 'http', 'runtime', 'operations'],
  'libs/testing': ['core'],
  'services/ocpp-gateway': ['core', 'contracts', 'broker', 'ocpp', 'http', 'runtime'],
  'services/charger-state': ['core', 'contracts', 'broker', 'ocpp', 'domain', 'store', 'http', 'runtime'],
  'services/push': ['core', 'contracts', 'broker', 'domain', 'store', 'http', 'runtime'],
  'services/v2-api': HTTP_API,
  'services/legacy-api': HTTP_API,
  'services/all-in-one': [
    'core',
    'ocpp',
    'domain',
    'store',
    'http',
    'runtime',
    'operations',
    'api',
    'ocpp-gateway',
    'charger-state',
    'push',
    'v2-api',
    'legacy-api',
  ],
  'tools/admin': ['core', 'runtime', 'operations'],
  'tools/simulate': ['core', 'ocpp', 'runtime', 'operations', 'testing'],
  'tools/bench': ['core', 'contracts', 'domain', 'store', 'runtime', 'operations', 'testing'],
  // Black box, but for what the fault tests read (whether all that was answered is in the store), for http's reply checker, and
  // for the schemas of ocpp, from which the fuzz makes its messages.
  'test-e2e': ['core', 'contracts', 'ocpp', 'domain', 'store', 'http', 'runtime', 'operations', 'testing'],
};

/** Libraries that live in one place each. */
const HOMES = {
  amqplib: ['libs/broker/src/amqp/**', 'tools/bench/src/baselines/rabbit-alone.ts'],
  mongoose: ['libs/store/src/mongo/**'],
  '@opentelemetry/api': ['libs/runtime/src/tracing/**'],
  '@opentelemetry/sdk-trace': ['libs/runtime/src/tracing/**'],
  '@photostructure/sqlite': ['libs/store/src/sqlite/**'],
  undici: ['libs/runtime/src/egress/**'],
  express: ['libs/http/src/**', 'tools/bench/src/baselines/bare-express.ts'],
  ws: [
    'services/ocpp-gateway/src/**',
    'libs/testing/src/**',
    'tools/admin/src/smoke/**',
    'tools/bench/src/baselines/bare-ws-server.ts',
  ],
};

/** The only file that knows which adapters there are. */
const PLATFORM = 'libs/runtime/src/platform/platform.ts';
/** Services reach servers of others by `openEgress`, which checks addresses. */
const HTTP_CLIENTS = ['node:http', 'node:https', 'http', 'https'].map((name) => ({
  name,
  importNames: ['Agent', 'ClientRequest', 'get', 'globalAgent', 'request'],
  message: 'send requests by openEgress of @busbar/runtime',
}));
const OTHER_HTTP_CLIENTS = ['axios', 'got', 'ky', 'node-fetch', 'node:http2', 'superagent'];
const ADAPTERS = ['createAmqpBroker', 'createMemoryBroker', 'createMongoStore', 'createSqliteStore'];

/** The folders of the console that each of its folders may import, besides itself. Screens never import each other. */
const CONSOLE_LAYERS = {
  api: [],
  live: ['api'],
  model: ['api', 'parts'],
  parts: ['api'],
  records: ['api', 'parts'],
  sessions: ['api', 'live', 'model', 'parts'],
  screens: ['api', 'live', 'model', 'parts', 'records', 'sessions'],
  frame: ['api', 'live', 'parts', 'screens'],
};

/** Files that the dictionary of tools/lint/dictionary.mjs does not apply to. */
const WITHOUT_DICTIONARY = [
  // These quote what the rule refuses.
  'libs/testing/src/dictionary.test.ts',
  'tools/lint/**',
];

const TESTS = ['**/*.test.ts', '**/*.contract.ts', '**/src/testing/**', 'libs/testing/**', 'test-e2e/**'];

function layer([folder, allowed]) {
  const packages = Object.keys(LAYERS).map((path) => path.split('/').at(-1));
  const self = folder.split('/').at(-1);
  const forbidden = packages.filter((name) => name !== self && !allowed.includes(name));
  return {
    files: [`${folder}/src/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          ...restrictions(
            folder,
            [...forbidden, self].map((name) => `@busbar/${name}`),
          ),
        },
      ],
    },
  };
}

/** Tests may also use the testing library and real adapters. */
function testLayer([folder, allowed]) {
  const packages = Object.keys(LAYERS).map((path) => path.split('/').at(-1));
  const self = folder.split('/').at(-1);
  const forbidden = packages.filter((name) => name !== self && name !== 'testing' && !allowed.includes(name));
  return {
    files: [`${folder}/src/**/*.test.ts`, `${folder}/src/**/*.contract.ts`, `${folder}/src/testing/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [...forbidden, self].map((name) => ({ name: `@busbar/${name}` })),
          patterns: [deep([...forbidden, self].map((name) => `@busbar/${name}`))],
        },
      ],
    },
  };
}

function consoleLayer([folder, allowed]) {
  const forbidden = Object.keys(CONSOLE_LAYERS).filter((name) => name !== folder && !allowed.includes(name));
  const ways = forbidden.flatMap((name) => [`../${name}/**`, `../../${name}/**`, `../../../${name}/**`]);
  const screens = folder === 'screens' ? ['../!(.|..)*/*-screen'] : [];
  const patterns = [...ways, ...screens].map((group) => ({ group: [group], message: `${folder} may not import it` }));
  const services = { group: ['@busbar/*'], message: 'the console knows the v2 API alone' };
  return {
    files: [`apps/console/src/${folder}/**/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, services] }] },
  };
}

function restrictions(folder, forbiddenPackages) {
  const foreign = Object.entries(HOMES)
    .filter(([, homes]) => !homes.some((home) => home.startsWith(`${folder}/`)))
    .map(([name]) => name);
  const adapters = ['@busbar/broker', '@busbar/store'].map((name) => ({
    name,
    importNames: ADAPTERS,
    message: `only ${PLATFORM} knows which adapters there are`,
  }));
  return {
    paths: [
      ...forbiddenPackages.map((name) => ({ name, message: `${folder} may not depend on it` })),
      ...foreign.map((name) => ({ name, message: 'this library has another home' })),
      ...adapters.filter(({ name }) => !forbiddenPackages.includes(name)),
      ...(folder.startsWith('services/') ? [...HTTP_CLIENTS, ...OTHER_HTTP_CLIENTS] : []),
    ],
    patterns: [deep(forbiddenPackages)],
  };
}

/** Packages that export folders: `@busbar/domain/chargers`, `@busbar/http/testing`. */
const BY_FOLDER = ['@busbar/domain', '@busbar/api', '@busbar/http'];

function deep(forbidden) {
  const open = BY_FOLDER.filter((name) => !forbidden.includes(name)).map((name) => `!${name}/*`);
  return { group: ['@busbar/*/*', ...open], message: 'import what the package exports' };
}

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/generated/**',
      '**/node_modules/**',
      '**/assets/**',
      'data/**',
      'coverage/**',
      'examples/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs'],
    ignores: WITHOUT_DICTIONARY,
    plugins: { dictionary },
    rules: { 'dictionary/words': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { project: ['./tsconfig.test.json'], tsconfigRootDir: import.meta.dirname } },
    settings: {
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.tsx'] })],
    },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      'import-x/no-mutable-exports': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'a union of strings says the same' },
        { selector: 'ExportAllDeclaration', message: 'name what is exported' },
        { selector: 'SpreadElement > ObjectExpression', message: 'write its fields, one a line' },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', prefer: 'type-imports' },
      ],
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Express recognizes an error handler by its four parameters.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_next$' }],
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions'] }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: false }],
      // Factories make closures: no method here has a `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      complexity: ['error', 12],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
    },
  },
  ...Object.entries(LAYERS).map(layer),
  ...Object.entries(LAYERS).map(testLayer),
  {
    files: ['apps/*/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: { parserOptions: { project: ['./apps/console/tsconfig.json'] } },
    rules: {
      // The others of this plugin are for code that the React compiler compiles.
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      // A component holds its markup, so its length is that of a page's part.
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: false }],
    },
  },
  {
    // A table of texts.
    files: ['apps/console/src/texts.ts'],
    rules: { 'max-lines': 'off' },
  },
  ...Object.entries(CONSOLE_LAYERS).map(consoleLayer),
  {
    files: ['services/*/src/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-globals': ['error', { name: 'fetch', message: HTTP_CLIENTS[0].message }] },
  },
  {
    files: [PLATFORM],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    // A factory holds the state of what it makes, so its length is that of its methods together.
    files: ['**/src/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: TESTS,
    rules: {
      'max-lines': ['error', 500],
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', require: 'readonly' } },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
  prettier,
);
