// The library of Stellar, read when it is needed first: reading it takes as long as a tenth of a
// start, and most processes have nothing to do with Stellar itself.
import { createRequire } from 'node:module';

type StellarBase = typeof import('@stellar/stellar-base');

const require = createRequire(import.meta.url);
let known: StellarBase | undefined;

export const stellar = {
  get base(): StellarBase {
    known ??= require('@stellar/stellar-base') as StellarBase;
    return known;
  },
};
