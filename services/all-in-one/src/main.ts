import { run } from '@busbar/runtime';
import { allInOneChecks, allInOneSettings } from './config';
import { createAllInOne } from './service';

void run({
  name: 'busbar',
  settings: allInOneSettings,
  checks: allInOneChecks,
  create: (context) =>
    createAllInOne(context, {
      print: (line) => process.stdout.write(`${line}\n`),
      isTerminal: process.stdout.isTTY,
    }),
});
