// Who sells and who buys, as far as the merchant shows it.
import { buyerLines } from '#pages/checkout/buyer-lines.ts';
import type { PaperFacts } from './find-paper-facts.ts';
import type { PaperParty } from './paper.ts';

export function paperParties({ page }: PaperFacts): PaperParty[] {
  const { texts } = page.language;
  const { buyer } = page;
  const { shopName, sellerInfo } = page.summary;
  const address = sellerInfo?.split(/\r?\n/) ?? [];
  // Many addresses begin with the name.
  const seller = address[0]?.trim() === shopName.trim() ? address : [shopName, ...address];
  return [
    { label: texts.summary.seller, lines: filled(seller) },
    ...(buyer === undefined
      ? []
      : [{ label: texts.paper.buyer, lines: buyerLines(buyer, page.language) }]),
  ];
}

function filled(lines: readonly (string | null)[]): string[] {
  return lines.filter((line): line is string => line !== null && line.trim() !== '');
}
