// Who did what with money on its way out, and whether that was changed since.
import { type Act, listActs } from '#audit/act.ts';
import { verifyActs } from '#audit/seal-acts.ts';
import { type Command, textOption, wholeOption } from './command.ts';
import { counted } from './counted.ts';

export const auditList: Command = {
  name: 'audit list',
  summary: 'who did what with money on its way out, the newest last',
  usage: '[--actor WHO] [--verb VERB] [--subject transfer:ID] [--merchant ID] [--limit 1-10000]',
  options: {
    actor: { type: 'string' },
    verb: { type: 'string' },
    subject: { type: 'string' },
    merchant: { type: 'string' },
    limit: { type: 'string' },
  },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 10_000 });
    const filter = {
      actor: textOption(values, 'actor'),
      verb: textOption(values, 'verb'),
      subject: textOption(values, 'subject'),
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
