/** Hundredths with both digits after the point: forms of banks ask for them. */
export function amountToFixedText(units: bigint): string {
  const digits = String(units).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
