import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import { findFirstMerchant, listMerchants, type Merchant } from '#merchant/merchant.ts';
import { openAccount } from '#server/first-run.ts';
import { BY_OPTION, BY_USAGE, type Command, textOption, type Values, whoOf } from './command.ts';

const LISTED_MOST = 1000;

export const merchantCreate: Command = {
  name: 'merchant create',
  summary: 'make a merchant account',
  usage: `--name NAME ${BY_USAGE}`,
  options: { ...BY_OPTION, name: { type: 'string' } },
  async run(context, { values, positionals }) {
    const name = textOption(values, 'name') ?? positionals[0];
    if (name === undefined) throw new Refusal('invalid', 'usage', ['--name is missing']);
    const { id } = await doNoted(
      await context.openApp(),
      {
        ...{ actor: whoOf(values), verb: 'merchant-create', details: { name } },
        subject: (made: Merchant) => `merchant:${made.id}`,
      },
      (within) => openAccount(within, name),
    );
    return { text: `Merchant ${name}\n  id  ${id}`, json: { id, name } };
  },
};

export const merchantList: Command = {
  name: 'merchant list',
  summary: 'list the merchant accounts',
  usage: '',
  options: {},
  async run(context) {
    const { db } = await context.openApp();
    const merchants = await listMerchants(db, { limit: LISTED_MOST });
    const rows = merchants.map(({ id, name, createdAt }) => ({
      id,
      name,
      createdAt: createdAt.toString(),
    }));
    const text = rows.map((row) => `${row.id}  ${row.createdAt}  ${row.name}`).join('\n');
    return { text: text || 'no merchants', json: { merchants: rows } };
  },
};

/** `--merchant ID`, or the merchant there is. @throws Refusal when there is none yet. */
export async function chooseMerchant(
  { db }: { readonly db: Reader },
  values: Values,
): Promise<string> {
  const merchantId = textOption(values, 'merchant') ?? (await findFirstMerchant(db))?.id;
  if (merchantId !== undefined) return merchantId;
  throw new Refusal('missing', 'merchant_missing', [
    'there is no merchant yet: npx quittance merchant create --name NAME',
  ]);
}
