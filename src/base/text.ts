// Text as the specification counts it, and the two things PostgreSQL's text cannot hold.

/** Unicode code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Half of a surrogate pair without the other: not encodable as UTF-8. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}

export function hasNul(text: string): boolean {
  return text.includes('\u0000');
}
