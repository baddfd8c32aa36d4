// The questions of `npx quittance setup`, each about one setting. What is answered is held against
// what the service itself would say of it, and asked again where that is wrong.

import { Refusal } from '#base/refusal.ts';
import { isDomain } from '#base/text.ts';
import { readConfig } from '#server/config.ts';
import { SETTINGS } from '#server/settings.ts';
import type { Asking } from './command.ts';
import { settingsText } from './write-settings.ts';

export type Answers = Map<string, string>;

type Question = { readonly name: string; readonly prompt: string };

/** What a network needs before it can be offered. The first is asked for in every case. */
const NETWORKS: Readonly<Record<string, readonly Question[]>> = {
  BITCOIN: utxoQuestions('BITCOIN', 'bc1q…: xpub, zpub or wpkh(…)'),
  LITECOIN: utxoQuestions('LITECOIN', 'ltc1q…: zpub, Mtub or wpkh(…)'),
  ...Object.fromEntries(
    ['ETHEREUM', 'BASE', 'POLYGON', 'ARBITRUM', 'OPTIMISM'].map((id) => [id, evmQuestions(id)]),
  ),
  STELLAR: [
    { name: 'STELLAR_HORIZON_URLS', prompt: 'Horizon servers, with commas, two operators or more' },
    { name: 'STELLAR_ACCOUNT', prompt: 'account to be paid (G…)' },
  ],
  XRP_LEDGER: [
    { name: 'XRP_LEDGER_URLS', prompt: 'servers (wss://…), with commas, two operators or more' },
    { name: 'XRP_LEDGER_ACCOUNT', prompt: 'account to be paid (r…)' },
  ],
  LIGHTNING: [
    { name: 'LIGHTNING_BACKEND', prompt: 'kind of node: lnd, core-lightning or electrum' },
    { name: 'LIGHTNING_URL', prompt: 'its address (https://host:port)' },
    { name: 'LIGHTNING_MACAROON_FILE', prompt: 'LND: file of an invoice macaroon (else empty)' },
    { name: 'LIGHTNING_RUNE_FILE', prompt: 'Core Lightning: file of a rune (else empty)' },
    { name: 'LIGHTNING_TLS_CERT_FILE', prompt: 'its certificate, where it is an own one' },
  ],
  SEPA: [
    { name: 'SEPA_IBAN', prompt: 'IBAN that customers transfer to' },
    { name: 'SEPA_HOLDER', prompt: 'whose account it is, as the bank has it' },
  ],
};

function utxoQuestions(id: string, what: string): Question[] {
  return [
    { name: `${id}_RPC_URL`, prompt: 'your node (http://user:password@host:port; empty: none)' },
    {
      name: `${id}_ESPLORA_URLS`,
      prompt: 'Esplora servers in its place, two or more, with commas',
    },
    { name: `${id}_DESCRIPTOR`, prompt: `public key to derive addresses from (${what})` },
  ];
}

function evmQuestions(id: string): Question[] {
  return [
    { name: `${id}_RPC_URLS`, prompt: 'JSON-RPC endpoints, the preferred first, with commas' },
    { name: `${id}_XPUB`, prompt: "extended public key of m/44'/60'/0' (xpub…)" },
  ];
}

/** What the service says of a value: undefined where it takes it. Other settings may be missing. */
function faultOf(answers: Answers, name: string, directory: string): string | undefined {
  try {
    readConfig({ environment: {}, directory, file: settingsText(undefined, answers) });
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.details.find(
      (fault) => fault.startsWith(`${name}: `) && !/: missing,/.test(fault),
    );
  }
}

const INITIAL = new Map(SETTINGS.map(({ name, initial }) => [name, initial]));
/** Words that mean: nothing, though something was there. */
const NOTHING = ['none', '-'];

async function askOne(
  asking: Asking,
  answers: Answers,
  { name, prompt }: Question,
  directory: string,
): Promise<string> {
  const before = answers.get(name);
  const known = before || INITIAL.get(name) || '';
  for (;;) {
    const typed = (await asking.ask(`${prompt}${known === '' ? '' : ` [${known}]`}: `)).trim();
    if (typed === '') return before ?? '';
    answers.set(name, NOTHING.includes(typed) ? '' : typed);
    const fault = faultOf(answers, name, directory);
    if (fault === undefined) return answers.get(name) ?? '';
    asking.say(`  ${fault}`);
    if (before === undefined) answers.delete(name);
    else answers.set(name, before);
  }
}

/** The name that customers reach; empty where only this machine does. */
export function withDomain(answers: Answers, domain: string): void {
  if (!isDomain(domain)) {
    throw new Refusal('invalid', 'usage', [
      `--domain: ${domain} is no name such as pay.shop.example`,
    ]);
  }
  answers.set('PUBLIC_URL', `https://${domain}`);
  // Who is reached by https has a proxy: on this machine, unless somebody says otherwise.
  if ((answers.get('TRUSTED_PROXIES') ?? '') === '') {
    answers.set('TRUSTED_PROXIES', '127.0.0.1/32,::1/128');
  }
}

async function askDomain(asking: Asking, answers: Answers): Promise<void> {
  const before = answers.get('PUBLIC_URL') ?? '';
  const known = URL.parse(before)?.hostname ?? '';
  for (;;) {
    const shown = known === '' ? 'empty: this machine only, to try it' : known;
    const typed = (await asking.ask(`domain that customers reach [${shown}]: `)).trim();
    if (typed === '') return;
    try {
      return withDomain(answers, typed.toLowerCase());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      asking.say(`  ${typed} is no name such as pay.shop.example`);
    }
  }
}

async function askNetworks(asking: Asking, answers: Answers, directory: string): Promise<void> {
  const known = Object.keys(NETWORKS);
  const isSet = (id: string) => NETWORKS[id]?.some(({ name }) => (answers.get(name) ?? '') !== '');
  const before = known.filter(isSet);
  asking.say(`\nReal networks to be paid on: ${known.join(', ')}. Sandbox networks need nothing.`);
  let chosen: string[] = [];
  for (;;) {
    const shown = before.length === 0 ? 'none yet' : before.join(', ');
    const typed = (await asking.ask(`names, with commas [${shown}]: `)).trim();
    chosen =
      typed === ''
        ? before
        : typed
            .toUpperCase()
            .split(/[\s,]+/)
            .filter(Boolean);
    const unknown = chosen.filter((id) => !known.includes(id));
    if (unknown.length === 0) break;
    asking.say(`  ${unknown.join(', ')}: not one of these`);
  }
  for (const id of chosen) {
    asking.say(`\n${id}`);
    for (const question of NETWORKS[id] ?? []) {
      const isInPlace = question.name.endsWith('_ESPLORA_URLS') && answers.get(`${id}_RPC_URL`);
      if (!isInPlace) await askOne(asking, answers, question, directory);
    }
  }
}

/** `keepPassword`: writes it to a file of its own and says where. */
async function askMail(
  asking: Asking,
  answers: Answers,
  directory: string,
  keepPassword: (password: string) => string,
): Promise<void> {
  asking.say('\nMails to customers and to you (receipts, sign-in, alerts).');
  const prompt = 'mail server (smtp://user@host:587; empty: no mails)';
  const url = URL.parse(await askOne(asking, answers, { name: 'SMTP_URL', prompt }, directory));
  if (url === null) return;
  const hasPassword = url.password !== '' || (answers.get('SMTP_PASSWORD_FILE') ?? '') !== '';
  if (url.username !== '' && !hasPassword) {
    const password = await asking.askSecret(`password of ${decodeURIComponent(url.username)}: `);
    if (password !== '') answers.set('SMTP_PASSWORD_FILE', keepPassword(password));
  }
  const from = { name: 'MAIL_FROM', prompt: 'whom mails come from (Shop <pay@shop.example>)' };
  while ((await askOne(asking, answers, from, directory)) === '') {
    asking.say('  mails need one');
  }
}

/** Changes `answers`, which begin as what is set already. */
export async function interview(
  asking: Asking,
  answers: Answers,
  { directory, keepPassword }: { directory: string; keepPassword: (password: string) => string },
): Promise<void> {
  asking.say('Enter keeps what stands in brackets, "none" empties it.\n');
  await askDomain(asking, answers);
  const where = [
    { name: 'DATA_DIR', prompt: 'where keys and the embedded database lie' },
    { name: 'DATABASE_URL', prompt: 'own PostgreSQL (postgres://…; empty: the embedded one)' },
  ];
  for (const question of where) await askOne(asking, answers, question, directory);
  await askNetworks(asking, answers, directory);
  await askMail(asking, answers, directory, keepPassword);
}
