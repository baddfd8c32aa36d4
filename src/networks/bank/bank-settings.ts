import { getNetwork } from '#catalog/network.ts';
import type { Setting, SettingsReader } from '#networks/network-settings.ts';
import { canonicalBic, canonicalIban, IBAN_STRUCTURES, isSepaIban } from '#people/iban.ts';
import { canonicalPixKey } from '#people/pix-key.ts';
import {
  BANK_NETWORKS,
  type BankAccount,
  type BankNetwork,
  canonicalAccount,
} from './bank-account.ts';
import { EPC_HOLDER_LENGTH, plainText } from './payment-codes.ts';

export const BANK_SETTINGS: readonly Setting[] = [
  { name: 'SEPA_IBAN', about: 'IBAN that customers pay to', initial: '' },
  { name: 'SEPA_BIC', about: 'BIC of its bank, where payers need it', initial: '' },
  { name: 'SEPA_HOLDER', about: 'whose account it is, as the bank has it', initial: '' },
  { name: 'SWIFT_ACCOUNT', about: 'IBAN or account number that customers pay to', initial: '' },
  { name: 'SWIFT_BIC', about: 'BIC of its bank', initial: '' },
  { name: 'SWIFT_HOLDER', about: 'whose account it is, as the bank has it', initial: '' },
  { name: 'SWIFT_CURRENCIES', about: 'currencies it takes', initial: 'USD' },
  { name: 'PIX_KEY', about: 'Pix key that customers pay to', initial: '' },
  { name: 'PIX_ACCOUNT', about: 'account of the key, as statements name it', initial: '' },
  { name: 'PIX_HOLDER', about: 'whose key it is', initial: '' },
  { name: 'PIX_CITY', about: 'city of the holder', initial: '' },
];

const NEEDED: Readonly<Record<BankNetwork, readonly string[]>> = {
  SEPA: ['SEPA_IBAN', 'SEPA_HOLDER'],
  SWIFT: ['SWIFT_ACCOUNT', 'SWIFT_BIC', 'SWIFT_HOLDER'],
  PIX: ['PIX_KEY', 'PIX_ACCOUNT', 'PIX_HOLDER', 'PIX_CITY'],
};

const readers: Readonly<Record<BankNetwork, (settings: SettingsReader) => BankAccount>> = {
  SEPA: readSepa,
  SWIFT: readSwift,
  PIX: readPix,
};

export function readBankSettings(settings: SettingsReader): BankAccount[] {
  const accounts = BANK_NETWORKS.flatMap((network) => {
    const given = BANK_SETTINGS.find(
      ({ name }) => name.startsWith(`${network}_`) && settings.has(name),
    );
    if (given === undefined) return [];
    const missing = NEEDED[network].filter((name) => !settings.has(name));
    for (const name of missing) settings.fault(`${name}: missing, while ${given.name} is set`);
    return missing.length > 0 ? [] : [readers[network](settings)];
  });
  const numbers = accounts.map(({ account }) => account);
  const twice = accounts.find(({ account }, index) => numbers.indexOf(account) !== index);
  if (twice !== undefined) {
    const names = NEEDED[twice.network];
    settings.fault(`${names[0]}: is the account of another network; a statement would count twice`);
  }
  return accounts;
}

function readSepa(settings: SettingsReader): BankAccount {
  const iban = canonicalIban(settings.text('SEPA_IBAN'));
  if (iban === undefined || !isSepaIban(iban)) {
    settings.fault('SEPA_IBAN: must be an IBAN of a SEPA country, with right check digits');
  }
  return {
    network: 'SEPA',
    account: iban ?? '',
    holder: readHolder(settings, 'SEPA_HOLDER'),
    bic: settings.has('SEPA_BIC') ? readBic(settings, 'SEPA_BIC') : undefined,
    currencies: ['EUR'],
    pix: undefined,
  };
}

function readSwift(settings: SettingsReader): BankAccount {
  const carried = getNetwork('SWIFT').assets.map((id) => id.slice(0, 3));
  const currencies = settings.list('SWIFT_CURRENCIES');
  const unknown = currencies.filter((code) => !carried.includes(code));
  if (unknown.length > 0 || currencies.length === 0) {
    settings.fault(`SWIFT_CURRENCIES: must name some of ${carried.join(', ')}`);
  }
  return {
    network: 'SWIFT',
    account: readAccount(settings, 'SWIFT_ACCOUNT'),
    holder: readHolder(settings, 'SWIFT_HOLDER'),
    bic: readBic(settings, 'SWIFT_BIC'),
    currencies: [...new Set(currencies)],
    pix: undefined,
  };
}

function readPix(settings: SettingsReader): BankAccount {
  const key = canonicalPixKey(settings.text('PIX_KEY'));
  if (key === undefined) {
    settings.fault('PIX_KEY: must be a CPF, CNPJ, e-mail address, telephone or random key');
  }
  const city = settings.text('PIX_CITY').trim();
  if (plainText(city, 1) === '') settings.fault('PIX_CITY: must hold a letter');
  const holder = readHolder(settings, 'PIX_HOLDER');
  if (plainText(holder, 1) === '') settings.fault('PIX_HOLDER: must hold a letter');
  return {
    network: 'PIX',
    account: readAccount(settings, 'PIX_ACCOUNT'),
    holder,
    bic: undefined,
    currencies: ['BRL'],
    pix: { key: key ?? '', city },
  };
}

/** What looks like an IBAN must be one: its check digits tell a slip of the pen. */
function readAccount(settings: SettingsReader, name: string): string {
  const text = settings.text(name);
  const plain = canonicalAccount(text);
  const isIban =
    plain !== undefined && IBAN_STRUCTURES.has(plain.slice(0, 2)) && /^..\d\d/.test(plain);
  const account = isIban ? canonicalIban(plain) : plain;
  if (account === undefined) {
    settings.fault(`${name}: must be an IBAN with right check digits, or an account number`);
  }
  return account ?? '';
}

function readBic(settings: SettingsReader, name: string): string | undefined {
  const bic = canonicalBic(settings.text(name));
  if (bic === undefined) settings.fault(`${name}: must be a BIC (8 or 11 letters and digits)`);
  return bic;
}

/** One line, short enough for the code that payers scan. */
function readHolder(settings: SettingsReader, name: string): string {
  const holder = settings.text(name).trim();
  if (holder === '' || holder.length > EPC_HOLDER_LENGTH || /\p{Cc}/u.test(holder)) {
    settings.fault(`${name}: must be 1 to ${EPC_HOLDER_LENGTH} characters on one line`);
  }
  return holder;
}
