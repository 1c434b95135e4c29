// The back office's web app: begins here.
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { LANGUAGE } from './base/texts.ts';

document.documentElement.lang = LANGUAGE;
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
