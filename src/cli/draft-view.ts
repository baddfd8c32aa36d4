// What a person is shown of something that waits for a signature.

import { renderUnicodeCompact } from 'uqr';
import { counted } from '#base/text.ts';
import { getAsset } from '#catalog/asset.ts';
import type { DraftedPayment, DraftedPsbt, DraftedTransaction } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';

/** `assetId`: of what is paid. */
export function draftView(drafted: DraftedTransaction, assetId: string) {
  return drafted.format === 'PSBT' ? psbtView(drafted, assetId) : paymentView(drafted);
}

function psbtView(drafted: DraftedPsbt, assetId: string) {
  const { feeUnits, changeUnits, terms: _, spends, ...more } = drafted;
  const [fee, change] = [amountText(assetId, feeUnits), amountText(assetId, changeUnits)];
  const about =
    `Network fee ${fee} for ${drafted.virtualSize} virtual bytes; ` +
    `${counted(drafted.inputs, 'input')}; ${change} come back to you.`;
  return { about: [about], json: { ...more, fee, change } };
}

function paymentView(drafted: DraftedPayment) {
  const { feeUnits, feeAssetId, terms: _, spends, json: fields = null, signers, ...more } = drafted;
  const { from, links, until = null, sequence } = drafted;
  const fee = amountText(feeAssetId, feeUnits);
  const json = { ...more, sequence: String(sequence), fee, json: fields, until };
  if (signers !== undefined) {
    const { digest, needed, owners } = signers;
    const about =
      `From the Safe ${from}, with its nonce ${sequence}. ${needed} of ${owners.length} owners ` +
      'sign it (eth_signTypedData_v4); whoever sends it then pays the gas.';
    return {
      about: [about, `They sign ${digest}`, `Owners: ${owners.join(' ')}`],
      json: { ...json, signers },
    };
  }
  const end = until === null ? 'It has no end' : `It can land until ${until}`;
  const about = [`From ${from}. Network fee at most ${fee}. ${end}.`];
  if (fields !== null) about.push(JSON.stringify(fields, null, 2));
  const [link] = links;
  if (link !== undefined) about.push(link, renderUnicodeCompact(link));
  return { about, json: { ...json, signers: null } };
}

function amountText(assetId: string, units: bigint): string {
  const { decimals, assetCode } = getAsset(assetId);
  return `${amountToText(units, decimals)} ${assetCode}`;
}
