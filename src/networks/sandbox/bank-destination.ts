import { networkOf } from '#catalog/chain.ts';
import type { AccountHolder, Destination } from '#deposit/network.ts';
import { brCode } from '#networks/bank/br-code.ts';
import { creditorReference } from '#networks/bank/creditor-reference.ts';
import { epcCode } from '#networks/bank/epc-code.ts';
import type { SandboxChain } from './sandbox-chain.ts';
import type { SandboxDestinations } from './sandbox-destinations.ts';

const HOLDER = 'Quittance Sandbox';
const CITY = 'SAO PAULO';
/** ISO 9362: a zero at the end of the location is for tests. */
const TEST_BIC = 'SANDDEF0XXX';
/** No bank in Germany begins with a zero. */
const NO_BANK = '00000000';

/** One account that nobody has, told apart by creditor references (ISO 11649). */
export function bankDestinations(
  { chain }: Pick<SandboxChain, 'chain'>,
  seed: Uint8Array,
): SandboxDestinations & { readonly payee: AccountHolder } {
  const network = networkOf(chain);
  const account = network === 'PIX' ? pixKey(seed) : iban(seed);
  const bic = network === 'PIX' ? undefined : TEST_BIC;
  return {
    addressSource: `references of ${account}`,
    payee: { holder: HOLDER, bic },
    open: ({ index }) => {
      const memo = creditorReference(index);
      return {
        destination: `${account}:${memo}`,
        address: account,
        memo,
        memoType: 'reference',
        destinationTag: undefined,
      };
    },
    canonicalAddress: () => undefined,
    paymentUri: ({ memo }: Destination, _, units) => {
      const payment = { holder: HOLDER, units, reference: memo ?? '' };
      if (network === 'PIX') return brCode({ ...payment, key: account, city: CITY }) ?? '';
      return network === 'SEPA' ? (epcCode({ ...payment, bic, iban: account }) ?? '') : '';
    },
    isOurs: (destination) => destination === account || destination.startsWith(`${account}:`),
  };
}

/** ISO 13616: 98 less the remainder of everything, the country as numbers and two zeros. */
function iban(seed: Uint8Array): string {
  const number = Buffer.from(seed).readBigUInt64BE(0) % 10n ** 10n;
  const bankAccount = `${NO_BANK}${String(number).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bankAccount}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bankAccount}`;
}

/** A random key (EVP) has the form of a UUID, version 4. */
function pixKey(seed: Uint8Array): string {
  const hex = seed.toHex();
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}
