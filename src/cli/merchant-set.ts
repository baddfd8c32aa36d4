import { Refusal } from '#base/refusal.ts';
import { changeMerchant } from '#merchant/change-merchant.ts';
import { chooseMerchant } from './choose-account.ts';
import { type Command, textOption } from './command.ts';

const FLOOR_LEAST = 500_000;
const WHOLE = 1_000_000;

export const merchantSet: Command = {
  name: 'merchant set',
  summary: 'change when new checkouts of a merchant count as paid',
  usage: [
    '--late-floor PERCENT [--merchant ID]',
    '  --late-floor PERCENT  what money that comes late must be worth, of the total, to complete',
    '                        a sale by itself; 50 to 100, 90 unless set. Less waits for you',
  ].join('\n'),
  options: { merchant: { type: 'string' }, 'late-floor': { type: 'string' } },
  async run(context, { positionals, values }) {
    const text = textOption(values, 'late-floor');
    if (text === undefined || positionals.length > 0) {
      throw new Refusal('invalid', 'usage', ['--late-floor is missing']);
    }
    const lateFloorPartsPerMillion = partsOfPercent(text);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    await changeMerchant(app, merchantId, { lateFloorPartsPerMillion });
    return {
      text: `Late money completes new checkouts of ${merchantId} when it is worth ${text} %`,
      json: { merchantId, lateFloorPartsPerMillion },
    };
  },
};

/** At most four digits after the point. @throws Refusal */
function partsOfPercent(text: string): number {
  const [, whole, digits = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  const parts = whole === undefined ? 0 : Number(whole) * 10_000 + Number(digits.padEnd(4, '0'));
  if (parts >= FLOOR_LEAST && parts <= WHOLE) return parts;
  throw new Refusal('invalid', 'usage', ['--late-floor: must be a percentage from 50 to 100']);
}
