// Prices move: a little, strongly, to something with many digits, and away for a while.
import { type Random, randomInteger } from '#base/random.ts';
import { createDecimal, decimalToText, multiply, parseDecimal } from '#money/decimal.ts';
import { REFERENCE_PRICES } from '#rates/rate-book.ts';
import { pick } from '#test/support/seeded-random.ts';
import type { Move } from './market.ts';
import { chance, type Story } from './story.ts';

const CODES = ['BTC', 'LTC', 'ETH', 'XLM', 'EUR', 'JPY'];
const MANNERS = ['a little', 'a little', 'strongly', 'strongly', 'away', 'back'] as const;

export async function movePrices({ random, world, counters }: Story): Promise<string> {
  const manner = pick(random, MANNERS);
  const codes =
    manner === 'back' ? world.market.movedCodes() : CODES.filter(() => chance(random, 40));
  const moves = new Map(codes.map((code) => [code, moved(random, code, manner)]));
  await world.market.move(moves);
  counters.priceMoves += 1;
  const said = [...moves].map(([code, move]) =>
    typeof move === 'string' ? `${code} ${move}` : `${code} ${decimalToText(move)}`,
  );
  return `${manner}: ${said.join(', ') || 'none'}`;
}

/** All is as at the beginning. */
export async function restorePrices({ world }: Pick<Story, 'world'>): Promise<void> {
  const moved = world.market.movedCodes();
  if (moved.length > 0) await world.market.move(new Map(moved.map((code) => [code, 'reference'])));
}

/** Of the price that the sandbox has: parts of 10,000, so that few divisions come out even. */
function moved(random: Random, code: string, manner: (typeof MANNERS)[number]): Move {
  if (manner === 'back') return 'reference';
  if (manner === 'away') return chance(random, 50) ? 'gone' : 'reference';
  const parts =
    manner === 'a little'
      ? 9_500 + randomInteger(random, 1_000)
      : pick(random, [700, 3_000, 25_000]) + randomInteger(random, 2_000);
  const reference = REFERENCE_PRICES.get(code) ?? parseDecimal('1');
  return multiply(reference, createDecimal(BigInt(parts), 4));
}
