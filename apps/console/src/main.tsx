import { createRoot } from 'react-dom/client';
import { takeCode } from './api/session';
import './design/tokens.css';
import './design/base.css';
import './design/card.css';
import './design/states.css';
import { App } from './frame/app';
import { applyTheme, readTheme } from './frame/theme';

applyTheme(readTheme());
// Most visits begin with the fleet: it is loaded while the session is read.
if (location.pathname === '/console/') void import('./screens/fleet/fleet-screen');
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App code={takeCode()} />);
