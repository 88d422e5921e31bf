// One configuration for all packages. Tests run from source: the "source" export condition of every package points
// at its TypeScript, and swc strips the types. Which tests `npm test` leaves out: tools/run.mjs.
const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'require', 'default'] },
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/services', '<rootDir>/tools', '<rootDir>/test-e2e'],
  testMatch: ['**/src/**/*.test.ts'],
  // What is loaded only where it is used: a dynamic import names the compiled file.
  moduleNameMapper: { '^(\\./(?:otel-tracing|otlp-exporter|egress|status-checks))\\.js$': '$1' },
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Many tests wait for leases, time limits and real servers: on two processors one file leaves half of the machine idle.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // For tests that hang. Machines differ by a factor of two within the hour.
  testTimeout: 60_000,
};
