// The start of the back office's web app.
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { LANGUAGE } from './base/texts.ts';

document.documentElement.lang = LANGUAGE;
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
