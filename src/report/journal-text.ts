// A journal for programs of plain-text accounting: beancount and hledger. Guarantees: whatever
// the texts hold, each line of theirs is one of ours; the closing balances are assertions, so
// that the program itself says when anything is missing. After the language syntax of beancount
// and the manual of hledger ("journal").

import { FIAT_ISSUER, getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { merchantAccountName } from './account-names.ts';
import type { Journal, JournalEntry, JournalLine } from './journal.ts';

/** What stands against opening balances: its name is the same in all books. */
const OPENING = 'opening-balances';

/** `nameOf`: how the accounts of the ledger are called in these books. */
export function beancountText(journal: Journal, nameOf = merchantAccountName): string {
  const line = ({ code, assetId, units }: JournalLine) =>
    `${nameOf(code)}  ${amountText(assetId, units)} ${commodity(assetId)}`;
  const blocks = [
    // Accounts are opened where they are first used.
    'plugin "beancount.plugins.auto_accounts"\n',
    ...dated(journal).map(
      ({ occurredAt, kind, subjectId, id, lines }) =>
        `${dayOf(occurredAt)} * ${quoted(kind)} ${quoted(subjectId ?? '')}
  entry: ${quoted(String(id))}
  time: ${quoted(occurredAt.toString())}
${lines.map((one) => `  ${line(one)}\n`).join('')}`,
    ),
  ];
  const { closing } = journal;
  const balances = closing?.lines.map((one) => `${dayAfter(closing.at)} balance ${line(one)}\n`);
  return [...blocks, ...(balances === undefined ? [] : [balances.join('')])].join('\n');
}

export function hledgerText(journal: Journal, nameOf = merchantAccountName): string {
  const amount = ({ assetId, units }: JournalLine) =>
    `${amountText(assetId, units)} "${commodity(assetId)}"`;
  const line = (one: JournalLine) => `    ${nameOf(one.code)}  ${amount(one)}\n`;
  const blocks = dated(journal).map(
    ({ occurredAt, kind, subjectId, id, lines }) =>
      `${dayOf(occurredAt)} * (${id}) ${oneLine(`${kind} ${subjectId ?? ''}`)}
    ; time: ${occurredAt}
${lines.map(line).join('')}`,
  );
  const { closing } = journal;
  const asserted = closing?.lines.map((one) => {
    const nothing = amount({ ...one, units: 0n });
    return `    ${nameOf(one.code)}  ${nothing} = ${amount(one)}\n`;
  });
  const end =
    closing === undefined || closing.lines.length === 0
      ? []
      : [`${dayAfter(closing.at)} * closing balances\n${asserted?.join('')}`];
  return ['decimal-mark .\n', ...blocks, ...end].join('\n');
}

/** What there was before, as an entry of its own, and the entries. */
function dated({ opening, entries }: Journal): readonly JournalEntry[] {
  if (opening === undefined || opening.lines.length === 0) return entries;
  const before = opening.lines.map((line) => ({ ...line, code: OPENING, units: -line.units }));
  const lines = [...opening.lines, ...before];
  const first = {
    id: 0n,
    occurredAt: opening.at,
    kind: 'opening balances',
    subjectId: null,
    lines,
  };
  return [first, ...entries];
}

/**
 * The code; of a token the beginning of its issuer too, since there are several of one code. As
 * beancount names them: capitals and digits, a capital first, 24 at most.
 */
export function commodity(assetId: string): string {
  const { assetCode } = getAsset(assetId);
  const issuer = assetId.slice(assetId.indexOf(':') + 1);
  if (issuer === NATIVE_ISSUER || issuer === FIAT_ISSUER) return assetCode;
  const code = assetCode.toUpperCase().replace(/^\d/, 'X$&');
  return `${code}.${issuer.replace(/^0x/, '').slice(0, 8).toUpperCase()}`;
}

/** Whole coins with every digit of the asset: programs take the last one for the exactness. */
export function amountText(assetId: string, units: bigint): string {
  const { decimals } = getAsset(assetId);
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const sign = units < 0n ? '-' : '';
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

function dayOf(instant: Temporal.Instant): string {
  return instant.toString().slice(0, 10);
}

/** An assertion holds at the beginning of its day. */
function dayAfter(instant: Temporal.Instant): string {
  return dayOf(instant.add({ hours: 24 }));
}

function quoted(text: string): string {
  return `"${oneLine(text).replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Neither a line end nor a comment. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp};]+/gu, ' ').trim();
}
