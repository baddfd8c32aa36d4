// One account at a bank, its customers told apart by a creditor reference (ISO 11649).

import { assert } from '#base/assert.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { DraftPayment, InstructionField } from '#deposit/money-out.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { BANK_NETWORKS, type BankAccount, type BankNetwork } from './bank-account.ts';
import { creditorReference, REFERENCES_BEGIN, transferReference } from './bank-references.ts';
import { amountToFixedText, brCode, epcCode } from './payment-codes.ts';
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

// A transfer that a person types into the pages of a bank, field by field, each to be copied by
// itself. For Pix this is the only way, since no file is shared by its banks; there is a code for
// the app of a bank as well. By SWIFT it is the way where a file could not say where the receiver
// lives (readReceiverAddress). Guarantees: each value is one line, without signs that nobody sees.
type Lines = readonly (readonly [label: string, value: string | undefined])[];

const RECEIVERS: Readonly<Record<BankNetwork, (account: BankOrder['account']) => Lines>> = {
  SEPA: ({ holder, iban, bic }) => [
    ['Receiver', holder],
    ['IBAN', iban],
    ['BIC', bic],
  ],
  SWIFT: ({ holder, address, iban, accountNumber, bic }) => [
    ['Receiver', holder],
    ['Address', address],
    ['IBAN', iban],
    ['Account number', accountNumber],
    ['BIC', bic],
    // The receiver gets what was ordered: what banks on the way take is booked as our charge.
    ['Charges', 'OUR'],
  ],
  PIX: ({ pixKey, taxId }) => [
    ['Pix key', pixKey],
    ['CPF or CNPJ of the receiver', taxId],
  ],
};

/** The reference stands first in the text: by it a statement tells which transfer was sent. */
export function bankInstruction(from: BankAccount, order: BankOrder): InstructionField[] {
  const { transferId, units, currency, account, text = '' } = order;
  assert(from.currencies.includes(currency), `${from.network} here does not send ${currency}`);
  const lines: Lines = [
    ['From account', from.account],
    ...RECEIVERS[from.network](account),
    ['Amount', amountToFixedText(units)],
    ['Currency', currency],
    ['Text', `${transferReference(transferId)} ${text}`],
    ['Copia e cola', from.network === 'PIX' ? codeOf(order) : undefined],
  ];
  return lines.flatMap(([label, value]) => {
    const line = oneLine(value ?? '');
    return line === '' ? [] : [{ label, value: line }];
  });
}

/** For the app of a bank: key, amount and reference. Who has the key is told by the directory. */
function codeOf({ transferId, units, account: { pixKey: key } }: BankOrder): string | undefined {
  if (key === undefined) return undefined;
  const reference = transferReference(transferId);
  return brCode({ key, holder: 'RECEBEDOR', city: 'BRASIL', units, reference });
}

/** Without line ends, and without signs that turn the direction of what stands beside them. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
}
