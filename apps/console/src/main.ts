// The first script: asks for what the first screen shows, and then for the larger part of the program. Small, so that neither waits for the
// other.
import { watchReader } from './api/reader-activity';
import { readSession, takeCode } from './api/session';
import { askAhead } from './frame/ask-ahead';
import { createQueryClient } from './frame/query-client';
import { applyTheme, readTheme } from './frame/theme';

applyTheme(readTheme());
watchReader();
const client = createQueryClient();
const code = takeCode();
// What `index.html` asked for is taken in any case: it says nothing of the session that a code begins.
const ignore = () => undefined;
const asked = code === undefined ? askAhead(client) : readSession().then(ignore, ignore);
void Promise.all([import('./frame/show'), asked]).then(([{ show }]) => show(client, code));
