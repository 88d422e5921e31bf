import { createRoot } from 'react-dom/client';
import { watchReader } from './api/reader-activity';
import { readSession, takeCode } from './api/session';
import './design/tokens.css';
import './design/base.css';
import './design/card.css';
import './design/states.css';
import { App } from './frame/app';
import { askAhead } from './frame/ask-ahead';
import { createQueryClient } from './frame/query-client';
import { applyTheme, readTheme } from './frame/theme';

applyTheme(readTheme());
watchReader();
const client = createQueryClient();
const code = takeCode();
// What `index.html` asked for is taken in any case: it says nothing of the session that a code begins.
const ignore = () => undefined;
void (code === undefined ? askAhead(client) : readSession().then(ignore, ignore)).then(() => {
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(<App client={client} code={code} />);
});
