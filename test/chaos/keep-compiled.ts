// Loaded into each process of a run. What Node has compiled is written at the end of a process, and these are killed:
// written while they work, it saves every later start most of its time.
import { flushCompileCache } from 'node:module';

const READY_MS = 3_000;

setTimeout(flushCompileCache, READY_MS).unref();
