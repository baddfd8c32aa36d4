/**
 * The address of a node as it is configured, without its user and password, which go into the
 * header of Basic authentication (RFC 7617): they are in no address that is called or shown.
 */
export function splitAddress(address: string | URL): {
  readonly url: URL;
  readonly headers: { readonly authorization?: string };
} {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url, headers: {} };
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, headers: { authorization: basicAuthorization(pair) } };
}

/** `pair`: user and password with a colon in between. */
export function basicAuthorization(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
