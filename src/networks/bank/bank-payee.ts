// One account at a bank, its customers told apart by a creditor reference (ISO 11649).

import { getAsset } from '#catalog/asset.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { DraftPayment } from '#deposit/money-out.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { BANK_NETWORKS, type BankAccount } from './bank-account.ts';
import { brCode } from './br-code.ts';
import { creditorReference, REFERENCES_BEGIN } from './creditor-reference.ts';
import { epcCode } from './epc-code.ts';
import { transferReference } from './transfer-reference.ts';
import { bankInstruction } from './write-instruction.ts';
import type { BankOrder } from './write-pain-001.ts';

export function bankPayee(chain: ChainId, given: BankAccount): PurePayee {
  const { network, account, holder, bic, pix } = given;
  return {
    chain,
    addressSource: `references of ${account}`,
    firstIndexes: REFERENCES_BEGIN,
    accountHolder: { holder, bic },
    openDestination({ index }) {
      const memo = creditorReference(index);
      return {
        destination: bankDestination(account, memo),
        address: pix?.key ?? account,
        memo,
        memoType: 'reference',
        destinationTag: undefined,
      };
    },
    // Everybody pays to the same account: without its reference an address names no payment.
    canonicalAddress: () => undefined,
    // A Pix is sent to a key, and booked with the account behind it: the reference alone names it.
    destinationOf({ iban, accountNumber }, transferId) {
      const receiver = network === 'PIX' ? undefined : (iban ?? accountNumber);
      return receiverName(receiver, transferId);
    },
    instruct(payment) {
      const order = bankOrder(payment);
      return given.currencies.includes(order.currency) ? bankInstruction(given, order) : undefined;
    },
    paymentUri({ memo }, _, units) {
      const payment = { holder, units, reference: memo ?? '' };
      if (pix !== undefined) return brCode({ ...pix, ...payment }) ?? '';
      return network === 'SEPA' ? (epcCode({ bic, iban: account, ...payment }) ?? '') : '';
    },
  };
}

export function bankOrder({ transferId, account, assetId, units }: DraftPayment): BankOrder {
  return { transferId, account, currency: getAsset(assetId).assetCode, units, text: undefined };
}

/** Who got a payment of ours, and which transfer it names. */
export function receiverName(receiver: string | undefined, transferId: string | undefined): string {
  const reference = transferId === undefined ? '' : ` ${transferReference(transferId)}`;
  return `${receiver ?? 'unnamed'}${reference}`;
}

export function bankDestination(account: string, reference: string | undefined): string {
  return reference === undefined ? account : `${account}:${reference}`;
}

const HOLDER = 'Quittance Sandbox';
const CITY = 'SAO PAULO';
/** ISO 9362: a zero at the end of the location is for tests. */
const TEST_BIC = 'SANDDEF0XXX';
/** No bank in Germany begins with a zero. */
const NO_BANK = '00000000';

/** An account that nobody has. */
export function simulatedBankPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  const network = BANK_NETWORKS.find((id) => id === networkOf(chain)) ?? 'SWIFT';
  const isPix = network === 'PIX';
  const account = isPix ? pixKey(seed) : iban(seed);
  return bankPayee(chain, {
    network,
    account,
    holder: HOLDER,
    bic: isPix ? undefined : TEST_BIC,
    currencies: getNetwork(network).assets.map((id) => id.replace(/:.*/, '')),
    pix: isPix ? { key: account, city: CITY } : undefined,
  });
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
