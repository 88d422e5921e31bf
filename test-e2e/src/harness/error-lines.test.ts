import { errorLines } from './error-lines';

it('what is logged as an error or as fatal is an error line, and nothing less is', () => {
  const lines = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => `{"level":"${level}","msg":"m"}`);
  expect(errorLines(['plain text', ...lines, ''].join('\n'))).toEqual(lines.slice(4));
});
