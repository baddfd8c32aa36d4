// Amounts in a node's answers are JSON numbers such as 0.10000000 or 1e-8. This turns the number of
// every key "value", "total_amount", "feerate", "mempoolminfee", "ancestor" or "descendant" into a
// JSON string before parsing, so that the digits reach us as the node wrote them and no float is
// made of them (A20).
//
// Measured on a block of 5,000 transactions (11 MB, Node 26): JSON.parse alone 12 ms, this and
// JSON.parse 16 ms, JSON.parse with a reviver that reads `context.source` 135 ms, because a reviver
// is called for each of the block's 250,000 values.
//
// Why a pattern is enough: inside a JSON string a quotation mark is written \", so `"value":` can
// only be a key (or the end of one, such as "x\"value", which no node writes and which would only
// become text too). A number the pattern misses stays a number, and readers of amounts refuse
// those.

const AMOUNT =
  /"(value|total_amount|feerate|mempoolminfee|ancestor|descendant)"\s*:\s*(-?\d[\d.eE+-]*)/g;

/** JSON text in which each number under such a key is a string of the same characters. */
export function quoteAmounts(json: string): string {
  return json.replace(AMOUNT, '"$1":"$2"');
}
