// How accounts of the ledger are called in journals: in the books of a merchant, and in those of
// the house. Letters, digits and hyphens in parts that begin with a capital.

const OF_MERCHANT: Readonly<Record<string, string>> = {
  'merchant:available': 'Assets:Quittance:Available',
  'merchant:pending': 'Assets:Quittance:Pending',
  'merchant:reserved': 'Assets:Quittance:Reserved',
  'merchant:owed': 'Liabilities:Quittance:Owed',
  fees: 'Expenses:Quittance:Fees',
  'network-fees': 'Expenses:Quittance:Network-Fees',
  rounding: 'Expenses:Quittance:Rounding',
};

/** Others are `Equity` and their code. */
export function merchantAccountName(code: string): string {
  return OF_MERCHANT[code] ?? ['Equity', 'Quittance', ...partsOf(code)].join(':');
}

/** What an account of the house is for, as the operator asks for it. */
type HouseGroup =
  /** At addresses and accounts that are watched. */
  | 'HOT'
  /** Held elsewhere. */
  | 'COLD'
  /** At an exchange, a dealer. */
  | 'PROVIDER'
  | 'IN_TRANSIT'
  | 'SUSPENSE'
  | 'OWED_TO_MERCHANTS'
  | 'EARNED'
  | 'SPENT'
  /** Between the two legs of what was exchanged. */
  | 'EXCHANGED';

const BY_BEGINNING: Readonly<Record<string, HouseGroup>> = {
  outside: 'COLD',
  transit: 'IN_TRANSIT',
  suspense: 'SUSPENSE',
  merchant: 'OWED_TO_MERCHANTS',
  fees: 'EARNED',
  dust: 'EARNED',
  rounding: 'EARNED',
  'conversion-result': 'EARNED',
  'network-fees': 'SPENT',
  'provider-fees': 'SPENT',
  losses: 'SPENT',
  exchange: 'EXCHANGED',
};

/** Providers are in small letters, networks are not (src/ledger/account.ts). */
export function houseGroup(code: string): HouseGroup {
  const [beginning = '', name = ''] = code.split(':');
  if (beginning === 'custody') return name === name.toLowerCase() ? 'PROVIDER' : 'HOT';
  return BY_BEGINNING[beginning] ?? 'EXCHANGED';
}

const OF_GROUP: Readonly<Record<HouseGroup, string>> = {
  HOT: 'Assets:Quittance:Hot',
  COLD: 'Assets:Quittance:Cold',
  PROVIDER: 'Assets:Quittance:Providers',
  IN_TRANSIT: 'Assets:Quittance:In-Transit',
  SUSPENSE: 'Liabilities:Quittance:Suspense',
  OWED_TO_MERCHANTS: 'Liabilities:Quittance:Merchants',
  EARNED: 'Income:Quittance',
  SPENT: 'Expenses:Quittance',
  EXCHANGED: 'Equity:Quittance',
};

export function houseAccountName(code: string): string {
  const group = houseGroup(code);
  const parts = partsOf(code);
  return [OF_GROUP[group], ...(parts.length > 1 ? parts.slice(1) : parts)].join(':');
}

function partsOf(code: string): string[] {
  return code.split(':').map((part) => {
    const plain = part.replaceAll(/[^A-Za-z0-9-]/g, '-');
    return plain.slice(0, 1).toUpperCase() + plain.slice(1);
  });
}
