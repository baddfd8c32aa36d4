// A browser without JavaScript, as far as the dashboard needs one: it keeps cookies, follows
// nothing by itself, and posts the form that it was shown.
import assert from 'node:assert/strict';

export type DashboardBrowser = {
  get(path: string): Promise<Shown>;
  /** The first form of the page last shown that posts to `path` and holds these values. */
  submit(path: string, values: Readonly<Record<string, string>>): Promise<Shown>;
  /** The same for a form with files (RFC 7578). */
  upload(path: string, values: Readonly<Record<string, string | Blob>>): Promise<Shown>;
  /** A post with nothing of a page shown: what another site or a script would send. */
  post(
    path: string,
    values: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Shown>;
  /** The cookies as they are sent. */
  cookies(): string;
  setCookie(name: string, value: string): void;
};

export type Shown = {
  readonly status: number;
  readonly markup: string;
  readonly location: string | undefined;
  readonly headers: Headers;
};

const ORIGIN = 'http://localhost:8080';

export function openDashboardBrowser(
  fetchPage: (request: Request) => Response | Promise<Response>,
): DashboardBrowser {
  const jar = new Map<string, string>();
  let markup = '';
  const ask = async (path: string, init: RequestInit): Promise<Shown> => {
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', cookies());
    headers.set('user-agent', 'Mozilla/5.0 (test)');
    const answer = await fetchPage(new Request(ORIGIN + path, { ...init, headers }));
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      assert.match(
        cookie,
        /; HttpOnly; SameSite=Lax/,
        'no script reads it, no other site sends it',
      );
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    markup = await answer.text();
    const location = answer.headers.get('location') ?? undefined;
    return { status: answer.status, markup, location, headers: answer.headers };
  };
  const cookies = () => Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');
  const post: DashboardBrowser['post'] = (path, values, headers = {}) =>
    ask(path, {
      method: 'POST',
      body: new URLSearchParams(values),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });
  const formToken = (path: string) => {
    const form = /name="form" value="([^"]+)"/.exec(markup)?.[1];
    assert(form !== undefined, `no form was shown: ${markup.slice(0, 400)}`);
    assert(markup.includes(`action="${path}"`), `no form posts to ${path}`);
    return form;
  };
  return {
    cookies,
    setCookie: (name, value) => void jar.set(name, value),
    get: (path) => ask(path, {}),
    post,
    submit: (path, values) => post(path, { ...values, form: formToken(path) }),
    upload(path, values) {
      const body = new FormData();
      body.set('form', formToken(path));
      for (const [name, value] of Object.entries(values)) body.set(name, value);
      return ask(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
    },
  };
}
