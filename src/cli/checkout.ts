import { Refusal } from '#base/refusal.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { checkoutView } from '#checkout-settlement/checkout-view.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { type Command, onePositional } from './command.ts';

export const checkoutShow: Command = {
  name: 'checkout show',
  summary: 'show a checkout with everything known about it',
  usage: 'ID',
  options: {},
  async run(context, { positionals }) {
    const id = onePositional(positionals, 'the checkout id');
    const app = await context.openApp();
    const record = await findAnyCheckout(app, id);
    if (record === undefined) {
      throw new Refusal('missing', 'checkout_missing', [`no checkout has the id ${id}`]);
    }
    const view = checkoutView(app, record);
    const lines = [
      `Checkout ${record.id}  ${record.state}  (${record.environment}, merchant ${record.merchantId})`,
      `  created    ${record.createdAt}`,
      `  expires    ${record.expiresAt}`,
      `  total      ${view.total} ${record.billingCurrency}`,
      `  page       ${view.hostedCheckoutUrl}`,
      ...record.stateHistory.map(({ state, changedAt }) => `  ${changedAt}  ${state}`),
      ...record.commitments.map(
        ({ network, assetId, instruction }) =>
          `  pay        ${network} ${assetId} to ${instruction.address}`,
      ),
      ...record.receipts.map(
        (receipt) =>
          `  payment    ${receipt.status} ${receipt.units} units of ${receipt.assetId} in ` +
          `${receipt.transaction}, ${receipt.confirmations} of ${receipt.confirmationsNeeded ?? '?'}` +
          `${receipt.heldAt === undefined ? '' : `, held by the brake since ${receipt.heldAt}`}`,
      ),
      ...record.credits.map(
        (credit) =>
          `  credit     ${credit.netUnits} units of ${credit.settlementAssetId} ` +
          `(${credit.account}, ${credit.rateBasis})`,
      ),
    ];
    return { text: lines.join('\n'), json: { checkout: JSON.parse(stringifyExact(view)) } };
  },
};
