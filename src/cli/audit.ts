// Who did what with money on its way out, or with what decides where it may go; and whether that
// was changed since.

import { type Act, listActs } from '#audit/act.ts';
import { verifyActs } from '#audit/seal-acts.ts';
import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { type Command, textOption, type Values, wholeOption } from './command.ts';

export const auditList: Command = {
  name: 'audit list',
  summary: 'who did what with money on its way out, with keys, people and settings; newest last',
  usage: [
    '[--by WHO] [--about SUBJECT] [--since MOMENT] [--verb VERB] [--merchant ID] [--limit 1-10000]',
    '  --by WHO         a name, `key KEY`, payer, signer or service',
    '  --about SUBJECT  transfer:ID; or transfer, key, beneficiary, …: all of that kind',
    '  --since MOMENT   2026-11-22, from its first moment in UTC, or 2026-11-22T09:30:00Z',
  ].join('\n'),
  options: {
    by: { type: 'string' },
    about: { type: 'string' },
    since: { type: 'string' },
    verb: { type: 'string' },
    merchant: { type: 'string' },
    limit: { type: 'string' },
  },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 10_000 });
    const filter = {
      actor: textOption(values, 'by'),
      about: textOption(values, 'about'),
      since: momentOption(values, 'since'),
      verb: textOption(values, 'verb'),
      merchantId: textOption(values, 'merchant'),
    };
    const acts = await listActs(db, filter, most);
    const lines = acts.map(actLine);
    if (acts.length === 0) lines.push('No such act.');
    return { text: lines.join('\n'), json: { acts: acts.map(actView) } };
  },
};

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'prove that no act was changed, taken away or put in since it was sealed',
  usage: '',
  options: {},
  async run(context) {
    const { acts, seals, head, faults } = await verifyActs(await context.openApp());
    const ok = faults.length === 0;
    const lines = [
      `${counted(acts, 'act')} under ${counted(seals, 'seal')}${head === undefined ? '' : `, head ${head}`}`,
      ok ? 'The trail is right.' : `The trail has ${counted(faults.length, 'fault')}:`,
      ...faults.map((fault) => `  ${fault}`),
    ];
    const json = { ok, acts: `${acts}`, seals: `${seals}`, head: head ?? null, faults };
    return { text: lines.join('\n'), json, exitCode: ok ? 0 : 1 };
  },
};

/** @throws Refusal */
function momentOption(values: Values, name: string): Temporal.Instant | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text)
      ? Temporal.PlainDate.from(text).toZonedDateTime('UTC').toInstant()
      : Temporal.Instant.from(text);
  } catch {
    throw new Refusal('invalid', 'usage', [
      `--${name}: must be a day (2026-11-22) or a moment with its zone (2026-11-22T09:30:00Z)`,
    ]);
  }
}

function actView({ id, actedAt, details, environment, merchantId, ...act }: Act) {
  return {
    ...{ number: `${id}`, at: actedAt.toString(), ...act },
    environment: environment ?? null,
    merchantId: merchantId ?? null,
    details: JSON.parse(details) as object,
  };
}

function actLine({ id, actedAt, actor, verb, subject, details }: Act): string {
  return `${id}  ${actedAt}  ${actor}  ${verb}  ${subject}  ${details}`;
}
