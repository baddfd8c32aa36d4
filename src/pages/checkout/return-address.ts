// Where the customer goes back to: the address the merchant stored, never one from a query (H3),
// with the id of the checkout in it. Whatever else stands in its query and its fragment survives
// byte for byte: shops sign their addresses.

const parameter = 'checkoutId';

/** The address was checked when the checkout was created: http or https, without credentials. */
export function returnAddress(merchantUrl: string, checkoutId: string): string {
  const url = new URL(merchantUrl);
  const others = url.search.slice(1).split('&').filter(isOther);
  url.search = `?${[...others, `${parameter}=${encodeURIComponent(checkoutId)}`].join('&')}`;
  return url.href;
}

/** A `checkoutId` of the merchant's own would leave open which one counts. */
function isOther(pair: string): boolean {
  // The `&` keeps a question mark that begins the pair.
  return pair !== '' && !new URLSearchParams(`&${pair}`).has(parameter);
}
