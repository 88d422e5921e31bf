import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBuildInfo, versionLine } from './build-info';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'build-info-'));
  mkdirSync(join(directory, 'dist'));
  writeFileSync(join(directory, 'package.json'), '{"version":"1.2.3"}');
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const record = (text: string): void => {
  writeFileSync(join(directory, 'dist/build.json'), text);
};

it('reads the version of the package and the recorded revision', () => {
  record('{"revision":"2129fc66644a-dirty"}');
  expect(readBuildInfo(directory)).toEqual({ version: '1.2.3', revision: '2129fc66644a-dirty' });
});

it.each(['{}', '{"revision":""}', '{"revision":"<script>"}', '{"revision":7}', 'no JSON'])(
  'omits a revision that the build did not know: %s',
  (text) => {
    record(text);
    expect(readBuildInfo(directory)).toEqual({ version: '1.2.3' });
  },
);

it('works without a record of the build', () => {
  expect(readBuildInfo(directory)).toEqual({ version: '1.2.3' });
  expect(readBuildInfo().version).toMatch(/^\d+\.\d+\.\d+/);
});

it('shows name, version and revision in one line', () => {
  expect(versionLine('v2-api', { version: '1.2.3', revision: '2129fc66644a' })).toBe('v2-api 1.2.3 (2129fc66644a)');
  expect(versionLine('v2-api', { version: '1.2.3' })).toBe('v2-api 1.2.3');
});
