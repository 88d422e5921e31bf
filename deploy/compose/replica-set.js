// For mongosh: makes MongoDB a replica set of one node, and its user for the services. May be run again: a changed password is
// taken over. Usage: mongosh --nodb replica-set.js, with MONGO_HOST and SECRETS in the environment.
/* global connect, sleep, print, process, require */
'use strict';
const { readFileSync } = require('node:fs');

const ATTEMPTS = 120;
const PAUSE_MS = 1_000;
const ALREADY = 23;
const host = process.env.MONGO_HOST ?? 'mongo:27017';
const secret = (name) => readFileSync(`${process.env.SECRETS ?? '/secrets'}/${name}`, 'utf8').trim();

/** Returns the result of `work`, once it has one. MongoDB's first start takes some seconds, and an election too. */
function eventually(what, work) {
  let last;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      const result = work();
      if (result) return result;
    } catch (error) {
      last = error;
    }
    sleep(PAUSE_MS);
  }
  throw new Error(`${what}: not within ${String((ATTEMPTS * PAUSE_MS) / 1000)} s`, { cause: last });
}

const admin = eventually('MongoDB does not answer', () =>
  connect(`mongodb://root:${secret('mongo-root-password')}@${host}/admin?directConnection=true`),
);
try {
  admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
  print('the replica set was initiated');
} catch (error) {
  if (error.code !== ALREADY) throw error;
}
eventually('the node is not primary', () => admin.hello().isWritablePrimary);

const database = admin.getSiblingDB('busbar');
const account = { pwd: secret('mongo-password'), roles: [{ role: 'readWrite', db: 'busbar' }] };
if (database.getUser('busbar')) database.updateUser('busbar', account);
else database.createUser({ user: 'busbar', ...account });
print('the user of the services is there');
