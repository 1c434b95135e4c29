// The same for import: a linked Florin is outside node_modules, where vitest would take a CommonJS file for a module.
import kit from './florin.cjs';

export const { startFlorin, cards } = kit;
