export * from './florin.cjs';
