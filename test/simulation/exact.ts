// Fractions for the oracle: written apart from the product's own arithmetic, so that a fault of that
// is not looked for with itself. Nothing is rounded but by `down` and `up`.

export type Exact = { readonly above: bigint; readonly below: bigint };

export const MILLION = 1_000_000n;

export function exact(above: bigint, below = 1n): Exact {
  return { above, below };
}

export function times(left: Exact, right: Exact): Exact {
  return { above: left.above * right.above, below: left.below * right.below };
}

export function over(left: Exact, right: Exact): Exact {
  return { above: left.above * right.below, below: left.below * right.above };
}

export function plus(left: Exact, right: Exact): Exact {
  return {
    above: left.above * right.below + right.above * left.below,
    below: left.below * right.below,
  };
}

/** Of what is not negative: what is left of the point. */
export function down({ above, below }: Exact): bigint {
  return above / below;
}

export function up({ above, below }: Exact): bigint {
  return (above + below - 1n) / below;
}

export function isLess(left: Exact, right: Exact): boolean {
  return left.above * right.below < right.above * left.below;
}

/** Of a text like 0.00012. */
export function fromText(text: string): Exact {
  const [whole = '', fraction = ''] = text.split('.');
  return exact(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

/** What is left when a fee of so many parts per million was taken. */
export function lessFee(parts: number): Exact {
  return exact(MILLION - BigInt(parts), MILLION);
}
